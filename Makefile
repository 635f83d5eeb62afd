# amphi: one Makefile, not recursive.
#
## make            build/amphi and build/libamphi.a
## make check      all tests: unit, property, agreement, short ones of the physics; ends with
##                 'N passed, N failed, N skipped'
## make physics    long runs of validation/physics and their verdicts; THREADS=; can be continued
## make agree      only those of validation/agree, with their full output
## make lint       the rules of validation/README.md, tests of these rules, cppcheck, clang-tidy
## make fmt        format the sources
## make fuzz       all fuzz targets, SECONDS=60 in total; findings in build/fuzz/findings
## make coverage   lines and branches that the tests reach (needs lcov); build/coverage/html
## make bundle     program and tests in one folder for another machine; build/amphi-bundle.tar.gz
## make bench      microseconds for a step, appended to build/results.tsv; SIZES=5888,94208
## make paper2013  tables and figures of the 2013 paper, redone; SCALE=short|tiny; can be continued
## make xsd        write systems/*.xsd from the program's own tables
## make install    PREFIX=/usr/local, DESTDIR=; the man page is written by the program
## make clean
##
## CC=gcc|clang  SAN=address,undefined|thread  CUDA=0|1 (default: is there an nvcc)  BUILD=build
## GPUS=90: machine code for Hopper only (faster to build); GPUS="80 90": PTX for older devices too
## HASTE=1: kernels of devices compile in a fraction of the time and run slower: where no device is
## V=1 shows the commands. A change of CC, SAN, HASTE or CUDA rebuilds everything in the folder.

CC       = gcc
BUILD   ?= build
GPUS    ?= 80 90
HASTE   ?=
SAN     ?=
PREFIX  ?= /usr/local
SECONDS ?= 60
NVCC    ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
CUDA    ?= $(if $(NVCC),1,0)

# Set by the targets fuzz and coverage when they call this file again for a folder of their own.
FUZZING  ?=
COVERAGE ?=

WARN   = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes \
         -Wmissing-prototypes -Wvla -Wcast-qual -Wundef -Werror
XML   := $(shell pkg-config --cflags libxml-2.0)
CFLAGS = -std=c11 $(if $(FUZZING),-O1,$(if $(SAN),-O2,-O3)) $(if $(SAN),-g1,-g) -fno-math-errno -march=x86-64-v3 -D_XOPEN_SOURCE=700 $(WARN) \
         $(if $(laned),-fopenmp) $(if $(with_device),-DAMPHI_CUDA=1) \
         $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer) \
         $(if $(FUZZING),-fsanitize=fuzzer-no-link) $(if $(COVERAGE),--coverage -O1)
LIBS  := $(shell pkg-config --libs libxml-2.0) -lxxhash -lcrypto -lm

# What "single", "double" and "fixed" mean, here and on a device.
precisions   = single double fixed
# Contraction to fused multiply-adds. With -ffp-contract=fast, clang contracts a product depending
# on how often it is used, so that forces computed with energies have other bits than without; `on`
# contracts only within one expression. gcc has only `fast`, which passes this test.
contract    := $(if $(findstring clang,$(shell $(CC) --version 2>/dev/null)),on,fast)
flags_single = -DAMPHI_BUILD_SINGLE=1 -ffp-contract=$(contract)
flags_double = -DAMPHI_BUILD_DOUBLE=1 -ffp-contract=$(contract)
# No contraction. gcc 12 makes vfmaddsub of neighbouring products and sums even with
# -ffp-contract=off, unless there is no FMA (-mno-fma) or no SLP vectoriser.
as_written   = -ffp-contract=off -mno-fma
flags_fixed  = -DAMPHI_BUILD_FIXED=1 -ffp-contract=off -fno-trapping-math -fno-tree-slp-vectorize

# Vectorised kernels: LANES is what fills a register of AVX2 (v3) or of AVX-512 (v4).
sets     = v3 v4
lanes_v3 = -DAMPHI_CPU_SET=v3 -DLANES=$(if $(filter double,$1),4,8)
lanes_v4 = -DAMPHI_CPU_SET=v4 -DLANES=$(if $(filter double,$1),8,16) -march=x86-64-v4

# The thread sanitizer knows the synchronisation of clang's OpenMP, but not that of gcc's, where
# everything looks like a race.
ifneq ($(findstring thread,$(SAN)),)
$(if $(findstring clang,$(CC)),,$(error SAN=thread wants CC=clang))
racing = TSAN_OPTIONS=ignore_noninstrumented_modules=1
endif

# Of vectorised kernels: fuzzing does not reach them; a wrong address shows where it is used, and to
# look for it at each lane, too, would double the time of their compilation and of their tests.
plain    = $(if $(FUZZING),-fno-sanitize=all,$(if $(SAN),\
           -fno-sanitize=null$(comma)alignment$(comma)pointer-overflow))

device_precisions = single double fixed
device_single = -DAMPHI_BUILD_SINGLE=1 -fmad=true -ftz=true -prec-div=false -prec-sqrt=false
device_double = -DAMPHI_BUILD_DOUBLE=1 -fmad=true
device_fixed  = -DAMPHI_BUILD_FIXED=1 -fmad=false -ftz=false -prec-div=true -prec-sqrt=true
comma         = ,
# Machine code is a fifth as large when it is compressed, which nvcc does from CUDA 12.8 on.
device_small := $(if $(HASTE),,$(if $(NVCC),$(shell $(NVCC) --help 2>/dev/null | grep -q compress-mode && \
                echo --compress-mode=size)))
# C++20 for designated initialisers; { 0 } is allowed as in C. Machine code is for Hopper only;
# other devices compile the PTX of compute_80 when the program first runs on them.
hopper        = -gencode arch=compute_90,code=sm_90
# From CUDA 12.9 on.
device_hasty := $(if $(HASTE),$(if $(NVCC),$(shell $(NVCC) --help 2>/dev/null | grep -q Ofast-compile && \
                echo -Ofc max -DAMPHI_HASTE=1)))
nvcc_plain    = -std=c++20 -O3 -Werror all-warnings $(device_small) $(device_hasty) \
                -Xcompiler -Wall,-Wextra,-Werror,-Wno-missing-field-initializers,-Wno-unused-function
# In haste the driver makes machine code, where there is one: that is two thirds of the compilation.
# What only its maker finds wrong, in inline PTX or with shared memory, shows in a build without.
NVCCFLAGS     = $(nvcc_plain) $(if $(HASTE),$(subst sm_,compute_,$(hopper)),$(hopper)) \
                $(if $(filter 80,$(GPUS)),-gencode arch=compute_80$(comma)code=compute_80)
# Motion must have the same bits as on the host, and forces whatever is added up beside them: no
# contraction, in any instance of a kernel.
unfused       = $(addprefix cuda/,bonded.cu descend.cu drift.cu forces.cu motion.cu summed.cu)
flags_of      = $(if $(filter $(unfused),$2), \
                $(filter-out -fmad=%,$(device_$1)) -fmad=false,$(device_$1))

once   = $(wildcard engine/*.c engine/formats/*.c)
double = $(wildcard engine/typed/reference.c engine/typed/bonded.c engine/typed/stress.c forcefield/*.c)
laned  = $(wildcard engine/typed/cpu_pairs.c) # for each precision and set
fixed  = $(wildcard engine/typed/*_fixed.c) # in that precision alone
rows   = $(wildcard engine/typed/cpu_rows.c)  # in single for each set
turns  = $(wildcard engine/typed/cpu_turns.c) # in fixed for each set
typed  = $(filter-out $(double) $(laned) $(rows) $(turns) $(fixed),$(wildcard engine/typed/*.c))
probe  = engine/typed/probe.c
tools  = $(wildcard tools/*.c)

device_once  = cuda/device.cu cuda/gate.cu
device_typed = $(filter-out $(device_once),$(wildcard cuda/*.cu))
# Kernels of fixed precision, and those of the other precisions that they replace.
device_whole = $(wildcard cuda/fixed_*.cu)
device_real  = cuda/forces.cu cuda/bonded.cu cuda/motion.cu cuda/drift.cu cuda/summed.cu \
               cuda/descend.cu cuda/measure.cu
device_of    = $(filter-out $(if $(filter fixed,$1),$(device_real),$(device_whole)),$(device_typed))
with_device  = $(if $(wildcard cuda/*.cu),$(filter-out 0,$(CUDA)))
ifneq ($(with_device),)
$(if $(NVCC),,$(error CUDA=1, but no nvcc: name it with NVCC=))
LIBS += -L$(dir $(realpath $(NVCC)))../lib64 -lcudadevrt -lcudart_static -lpthread -ldl -lrt -lstdc++
endif

# Each test is a program. The other sources in its folder of validation/ are shared by its tests.
folders   = $(patsubst validation/%/,%,$(sort $(dir $(wildcard validation/*/*.c))))
tests     = $(patsubst %.c,$(BUILD)/%,$(wildcard validation/*/test_*.c))
scripts   = $(wildcard validation/unit/test_*.sh validation/agree/test_*.sh)
benches   = $(patsubst %.c,$(BUILD)/%,$(wildcard validation/bench/bench_*.c))
judge     = $(BUILD)/validation/physics/judge
sampler   = $(BUILD)/validation/physics/sample
fuzzers   = $(patsubst %.c,$(BUILD)/%,$(wildcard validation/fuzz/fuzz_*.c))
shared    = $(patsubst %.c,$(BUILD)/once/%.o,$(filter-out validation/$1/test_% validation/$1/fuzz_% validation/$1/bench_% \
            validation/physics/judge.c validation/physics/sample.c, \
            $(wildcard validation/$1/*.c))) \
            $(if $(with_device),$(patsubst %.cu,$(BUILD)/once/%.o,$(wildcard validation/$1/*.cu)))
libraries = $(folders:%=$(BUILD)/validation/%.a) $(BUILD)/libtools.a $(BUILD)/libamphi.a

host_objects   = $(once:%.c=$(BUILD)/once/%.o) $(double:%.c=$(BUILD)/double/%.o) \
                 $(fixed:%.c=$(BUILD)/fixed/%.o) \
                 $(foreach p,$(precisions),$(typed:%.c=$(BUILD)/$p/%.o)) \
                 $(foreach p,$(precisions),$(probe:%.c=$(BUILD)/$p-v3/%.o)) \
                 $(foreach s,$(sets),$(rows:%.c=$(BUILD)/single-$s/%.o) $(turns:%.c=$(BUILD)/fixed-$s/%.o) \
                 $(foreach p,$(precisions),$(laned:%.c=$(BUILD)/$p-$s/%.o)))
device_objects = $(if $(with_device),$(BUILD)/once/cuda/gate.linked.o $(patsubst %.cu,$(BUILD)/once/%.o,$(wildcard $(device_once))) \
                 $(foreach p,$(device_precisions),$(patsubst %.cu,$(BUILD)/$p/%.o,$(call device_of,$p))))
# What takes a minute to compile comes first, or one processor would wait for the other in the end.
slowest        = $(filter %forces.o,$(device_objects)) $(filter %cpu_pairs.o,$(host_objects))
objects        = $(slowest) $(filter-out $(slowest),$(host_objects) $(device_objects))
others         = $(tools:%.c=$(BUILD)/once/%.o) $(foreach f,$(folders),$(call shared,$f)) \
                 $(patsubst $(BUILD)/%,$(BUILD)/once/%.o,$(tests) $(fuzzers) $(benches) $(judge) $(sampler))

all: $(BUILD)/amphi
	@$(if $(wildcard cuda/*.cu),$(if $(with_device),:,echo 'cuda/ is left out: CUDA=0, or no nvcc'),:)

$(BUILD)/amphi: $(tools:%.c=$(BUILD)/once/%.o) $(BUILD)/libamphi.a
	$(compile) -o $@ $^ $(LIBS)

# Files that are rewritten only when their text changes: objects depend on that of the flags,
# archives on that of their members. So nothing remains of another compiler or of a deleted source.
define noted
$1: text = $2
$1: FORCE
	@mkdir -p $$(@D)
	@test -e $(BUILD)/.gitignore || echo '*' >$(BUILD)/.gitignore
	@echo '$$(text)' | cmp -s - $$@ || echo '$$(text)' >$$@
endef
define archive
$1: $2 $1.list
	@rm -f $$@
	$$(quietly)ar rcs $$@ $2
$(call noted,$1.list,$2)
endef
$(eval $(call noted,$(BUILD)/flags,$(CC) $(CFLAGS) $(as_written) $(foreach p,$(precisions),$(flags_$p)) \
    CUDA=$(with_device) $(NVCCFLAGS) $(foreach p,$(device_precisions),$(device_$p)) HASTE=$(HASTE) GPUS=$(GPUS)))
$(eval $(call archive,$(BUILD)/libamphi.a,$(objects)))
$(eval $(call archive,$(BUILD)/libtools.a,$(filter-out %/amphi.o,$(tools:%.c=$(BUILD)/once/%.o))))
$(foreach f,$(folders),$(eval $(call archive,$(BUILD)/validation/$f.a,$(call shared,$f))))

define newline


endef
quietly = @mkdir -p $(@D)$(if $(V),,; echo '  $(@:$(BUILD)/%=%)')$(newline)	$(if $(V),,@)
compile = $(quietly)$(CC) $(CFLAGS)
# Tests compile in half the time with -O1; nearly all of their work is the library's.
$(BUILD)/once/%.o: %.c $(BUILD)/flags
	$(compile) $(XML) $(as_written) $(if $(filter validation/%,$<),-O1) -MMD -MP -c -o $@ $<

$(BUILD)/once/cuda/gate.o: cuda/gate.cu $(BUILD)/flags
	$(quietly)$(NVCC) $(nvcc_plain) $(hopper) -rdc=true -MMD -MP -c -o $@ $<

$(BUILD)/once/cuda/gate.linked.o: $(BUILD)/once/cuda/gate.o
	$(quietly)$(NVCC) $(hopper) -dlink -o $@ $< -lcudadevrt

$(BUILD)/once/%.o: %.cu $(BUILD)/flags
	$(quietly)$(NVCC) $(NVCCFLAGS) -fmad=false -MMD -MP -c -o $@ $<

define typed_rules
$(BUILD)/$1/%.o: %.c $(BUILD)/flags
	$$(compile) $(flags_$1) -MMD -MP -c -o $$@ $$<

$(foreach s,$(sets),$(BUILD)/$1-$s/%.o: %.c $(BUILD)/flags
	$$(compile) $(flags_$1) $(lanes_$s) $(plain) -MMD -MP -c -o $$@ $$<
$(newline))
$(BUILD)/$1/%.o: %.cu $(BUILD)/flags
	$$(quietly)$(NVCC) $(NVCCFLAGS) $$(call flags_of,$1,$$<) -MMD -MP -c -o $$@ $$<
endef
$(foreach p,$(precisions),$(eval $(call typed_rules,$p)))

# The helpers of a test's own folder come first. GSL computes p-values.
libs_physics = -lgsl -lgslcblas
define test_rule
$(filter $(BUILD)/validation/$1/%,$(tests)): $(BUILD)/%: $(BUILD)/once/%.o $(BUILD)/validation/$1.a \
    $(libraries)
	$$(compile) -o $$@ $$^ -lcmocka $(libs_$1) $(LIBS)
endef
$(foreach f,$(folders),$(eval $(call test_rule,$f)))

$(benches): $(BUILD)/%: $(BUILD)/once/%.o $(BUILD)/validation/bench.a $(BUILD)/libamphi.a
	$(compile) -o $@ $^ $(LIBS)

$(fuzzers): $(BUILD)/%: $(BUILD)/once/%.o $(BUILD)/libamphi.a
	$(compile) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# Every test is run each time, with the program and the data of this build; its log ends with its
# exit status. The time limit is against hangs: the longest test takes a minute under sanitizers.
run  = @began=$$(date +%s); $(racing) AMPHI_PROGRAM=$(BUILD)/amphi AMPHI_DATA=$(CURDIR) $(if $(SAN),BRIEF=1 KILLS=3) timeout 600
# The longest ones first, or one processor would wait for the other in the end.
longest = $(patsubst %,$(BUILD)/validation/%.log, agree/test_agree_cpu agree/test_agree_slopes \
          unit/test_signals unit/test_paper2013.sh unit/test_build unit/test_cmd_run \
          unit/test_cmd_compare agree/test_agree_fixed agree/test_determinism physics/test_statistics)
all_logs = $(tests:=.log) $(scripts:%=$(BUILD)/%.log)
logs     = $(filter $(longest),$(all_logs)) $(filter-out $(longest),$(all_logs))
ran  = >$@ 2>&1; echo "exit status $$? after $$(($$(date +%s) - began)) s" >>$@
$(tests:=.log): %.log: % $(BUILD)/amphi FORCE
	$(run) $< $(ran)
$(scripts:%=$(BUILD)/%.log): $(BUILD)/%.log: % $(BUILD)/amphi FORCE
	@mkdir -p $(@D)
	$(run) sh $< $(ran)

# Tests are named before their logs: what make can't begin when it comes by waits for its next round.
check: $(tests) $(logs)
	@awk -f validation/tally.awk $(logs)

agree: $(filter $(BUILD)/validation/agree/%,$(logs))
	@cat $^
	@awk -f validation/tally.awk $^

$(judge) $(sampler): $(BUILD)/%: $(BUILD)/once/%.o $(BUILD)/validation/physics.a $(BUILD)/libamphi.a
	$(compile) -o $@ $^ $(libs_physics) $(LIBS)

physics: $(BUILD)/amphi $(judge) $(sampler)
	AMPHI_PROGRAM=$(abspath $(BUILD)/amphi) AMPHI_JUDGE=$(abspath $(judge)) \
	    AMPHI_SAMPLE=$(abspath $(sampler)) sh validation/physics/physics.sh all

formatted = $(wildcard engine/*.[ch] engine/*/*.[ch] forcefield/*.[ch] tools/*.[ch] cuda/*.cu \
            cuda/*.h validation/*/*.[ch])
fmt:
	clang-format --style=file:validation/lint/clang-format -i $(formatted)

lint:
	@sh validation/lint/test_lint.sh
	@sh validation/lint/lint.sh

fuzz:
	@$(MAKE) --no-print-directory CC=clang SAN=address,undefined FUZZING=1 CUDA=0 \
	    BUILD=$(BUILD)/fuzz SECONDS=$(SECONDS) fuzz_each
fuzz_each: $(fuzzers:=.log)
	@awk -f validation/tally.awk $^
$(fuzzers:=.log): %.log: % FORCE
	@began=$$(date +%s); AMPHI_DATA=$(CURDIR) sh validation/fuzz/fuzz.sh $< \
	    $$(($(SECONDS) / $(words $(fuzzers)))) $(ran)

coverage:
	@$(MAKE) --no-print-directory CC=gcc COVERAGE=1 CUDA=0 BUILD=$(BUILD)/coverage check
	lcov --quiet --capture --rc lcov_branch_coverage=1 --directory $(BUILD)/coverage \
	    --include '$(CURDIR)/engine/*' --include '$(CURDIR)/forcefield/*' -o $(BUILD)/coverage/info
	genhtml --quiet --branch-coverage -o $(BUILD)/coverage/html $(BUILD)/coverage/info
	lcov --rc lcov_branch_coverage=1 --summary $(BUILD)/coverage/info

bundle: $(BUILD)/amphi $(tests) $(benches)
	@CC='$(CC)' LIBS='$(LIBS)' LIBRARIES='$(libraries)' FOLDERS='unit property agree bench' \
	    sh validation/bundle/gather.sh $(BUILD)

bench: $(benches)
	@AMPHI_BENCH=$(BUILD)/validation/bench/bench_device AMPHI_DATA=$(CURDIR) \
	    sh validation/bench/results.sh $(BUILD)/results.tsv

paper2013: $(BUILD)/amphi
	@AMPHI_PROGRAM=$(abspath $(BUILD)/amphi) AMPHI_DATA=$(CURDIR) sh validation/paper2013/paper.sh \
	    $(SCALE:%=--%) $(BUILD)/paper2013$(SCALE:%=-%)

xsd: $(BUILD)/amphi
	$(BUILD)/amphi describe --xsd amphi >$(BUILD)/amphi-system.xsd
	$(BUILD)/amphi describe --xsd forcefield >$(BUILD)/amphi-forcefield.xsd
	cp $(BUILD)/amphi-system.xsd $(BUILD)/amphi-forcefield.xsd systems/

version = $(shell sed -n 's/.*AMPHI_VERSION *"\(.*\)".*/\1/p' engine/version.h)
install: all
	$(BUILD)/amphi describe --man >$(BUILD)/amphi.1
	install -D -m 644 $(BUILD)/amphi.1 $(DESTDIR)$(PREFIX)/share/man/man1/amphi.1
	$(BUILD)/amphi describe --completion bash >$(BUILD)/amphi.bash
	install -D -m 644 $(BUILD)/amphi.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/amphi
	install -D $(BUILD)/amphi $(DESTDIR)$(PREFIX)/bin/amphi
	install -D -m 644 $(BUILD)/libamphi.a $(DESTDIR)$(PREFIX)/lib/libamphi.a
	@printf '%s\n' 'prefix=$(PREFIX)' 'Name: amphi' 'Description: coarse-grain membranes' \
	    'Version: $(version)' 'Cflags: -I$${prefix}/include/amphi' \
	    'Libs: -L$${prefix}/lib -lamphi -fopenmp $(LIBS)' >$(BUILD)/amphi.pc
	install -D -m 644 $(BUILD)/amphi.pc $(DESTDIR)$(PREFIX)/lib/pkgconfig/amphi.pc
	for h in engine/amphi.h $$($(CC) $(CFLAGS) -MM engine/amphi.h | tr -d '\\' | tr ' ' '\n' | grep '\.h$$'); do \
	    install -D -m 644 $$h $(DESTDIR)$(PREFIX)/include/amphi/$$h || exit 1; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/amphi/forcefield forcefield/*.xml
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/amphi/systems $(wildcard systems/*.x??)

help:
	@sed -n 's/^## \{0,1\}//p' Makefile

clean:
	rm -rf $(BUILD)

-include $(wildcard $(patsubst %.o,%.d,$(objects) $(others)))
.PHONY: all check agree physics bundle bench paper2013 lint fmt fuzz fuzz_each coverage xsd install help clean FORCE
.SECONDARY:
.DELETE_ON_ERROR:
