/* The registry of backends. */
#include "backend.h"

#include <stdio.h>
#include <string.h>

#include "typed/backends.h"

static const AmphiBackend *const registry[] = {
    &reference_backend_double, &cpu_backend_double,  &cpu_backend_single, &cpu_backend_fixed,
#ifdef AMPHI_CUDA
    &cuda_backend_double,      &cuda_backend_single, &cuda_backend_fixed,
#endif
};

const AmphiBackend *amphi_backend_at(int32_t k)
{
    const int32_t n = (int32_t)(sizeof registry / sizeof registry[0]);

    return k >= 0 && k < n ? registry[k] : NULL;
}

const AmphiBackend *amphi_backend_find(const char *name, AmphiPrecision precision)
{
    const AmphiBackend *backend;

    for (int32_t k = 0; (backend = amphi_backend_at(k)) != NULL; k++)
        if (backend->precision == precision && strcmp(backend->name, name) == 0)
            return backend;
    return NULL;
}

static bool is_name(const char *name)
{
    const AmphiBackend *b = NULL;

    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++)
        if (strcmp(b->name, name) == 0)
            return true;
    return false;
}

AmphiStatus amphi_backend_fail(const char *name, const char *precision, AmphiError *err)
{
    const AmphiBackend *b        = NULL;
    char                all[256] = "", in[40] = "";

    for (int32_t k = 0; (b = amphi_backend_at(k)) != NULL; k++) {
        const size_t n = strlen(all);

        snprintf(all + n, sizeof all - n, "%s--backend %s --precision %s", n > 0 ? ", " : "",
                 b->name, amphi_precision_name(b->precision));
    }
    if (strcmp(name, "cuda") == 0 && !is_name(name))
        return amphi_fail(err, AMPHI_NO_DEVICE,
                          "this amphi was built for the CPU alone\n    write: --backend cpu; or "
                          "build it where nvcc is (README.md)");
    if (is_name(name))
        snprintf(in, sizeof in, " in %.20s precision", precision);
    return amphi_fail(err, AMPHI_BAD_COMMAND, "there is no backend %.60s%s\n    write: %s", name,
                      in, all);
}

const AmphiBackend *amphi_backend_there(const char *name, AmphiPrecision precision)
{
    const AmphiBackend *b = amphi_backend_find(name, precision);

    return b != NULL && b->is_there != NULL && !b->is_there() ? NULL : b;
}

const char *amphi_precision_name(AmphiPrecision precision)
{
    static const char *const name[AMPHI_PRECISIONS] = { "single", "double", "fixed" };

    return precision >= 0 && precision < AMPHI_PRECISIONS ? name[precision] : "";
}
