/* The registry of backends. */
#include "backend.h"

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
