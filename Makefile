# amphi: one Makefile, not recursive. `make help` lists the targets.
# Variables: CC=gcc|clang  SAN=address,undefined  CUDA=0|1  BUILD=folder  CHECKED=1

CC      = gcc
BUILD  ?= build
SAN    ?=
PREFIX ?= /usr/local

WARN   = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
         -Wmissing-prototypes -Wvla -Wcast-qual -Wundef -Werror
XML    = $(shell pkg-config --cflags libxml-2.0)
CFLAGS = -std=c11 -O3 -g -fno-math-errno -march=x86-64-v3 -D_XOPEN_SOURCE=700 $(WARN) \
         $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
LIBS   = $(shell pkg-config --libs libxml-2.0) -lxxhash -lm

contract_single = -DAMPHI_BUILD_SINGLE=1 -ffp-contract=fast
contract_double = -DAMPHI_BUILD_DOUBLE=1 -ffp-contract=fast
contract_fixed  = -DAMPHI_BUILD_FIXED=1 -ffp-contract=off -fno-trapping-math

# The lane form of the formulas: as many numbers as fill one AVX2 register.
lanes_single = -DLANES=8
lanes_double = -DLANES=4
lanes_fixed  = -DLANES=8

once   = $(filter-out engine/typed/%,$(wildcard engine/*.c engine/formats/*.c))
typed  = $(filter-out engine/typed/reference.c,$(wildcard engine/typed/*.c))
laned  = engine/typed/probe.c
double = engine/typed/reference.c $(wildcard forcefield/*.c)

objects = $(once:%.c=$(BUILD)/once/%.o) $(double:%.c=$(BUILD)/double/%.o) \
          $(foreach p,single double fixed,$(typed:%.c=$(BUILD)/$p/%.o)) \
          $(foreach p,single double fixed,$(laned:%.c=$(BUILD)/$p-lanes/%.o))
tools   = $(wildcard tools/*.c)
tests   = $(patsubst validation/%.c,$(BUILD)/validation/%,$(wildcard validation/*/test_*.c))

all: $(BUILD)/amphi

$(BUILD)/amphi: $(tools:%.c=$(BUILD)/once/%.o) $(BUILD)/libamphi.a
	$(CC) $(CFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/libamphi.a: $(objects)
	rm -f $@
	ar rcs $@ $^

$(BUILD)/once/%.o: %.c
	@mkdir -p $(@D) && echo '*' > $(BUILD)/.gitignore
	$(CC) $(CFLAGS) $(XML) -ffp-contract=off -MMD -MP -c -o $@ $<

define typed_rule
$(BUILD)/$1/%.o: %.c
	@mkdir -p $$(@D)
	$(CC) $(CFLAGS) $(contract_$1) -MMD -MP -c -o $$@ $$<

$(BUILD)/$1-lanes/%.o: %.c
	@mkdir -p $$(@D)
	$(CC) $(CFLAGS) $(contract_$1) $(lanes_$1) -MMD -MP -c -o $$@ $$<
endef
$(foreach p,single double fixed,$(eval $(call typed_rule,$p)))

# A test is one program; a test that knows a precision says so in its name: test_X_single.c ...
$(BUILD)/validation/%: $(BUILD)/once/validation/%.o $(BUILD)/libamphi.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lcmocka $(LIBS)

check: $(tests) $(BUILD)/amphi
	@for t in $(tests); do echo "== $$t"; $$t || exit 1; done

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
.PHONY: all check clean
.SECONDARY:
