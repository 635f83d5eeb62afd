/* The tables of all backends, one for each precision, for the registry in backend.c. */
#ifndef AMPHI_TYPED_BACKENDS_H
#define AMPHI_TYPED_BACKENDS_H

#include "../backend.h"

extern const AmphiBackend reference_backend_double;
extern const AmphiBackend cpu_backend_single, cpu_backend_double, cpu_backend_fixed;
/* built with CUDA=1 */
extern const AmphiBackend cuda_backend_single, cuda_backend_double, cuda_backend_fixed;

#endif
