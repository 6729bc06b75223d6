// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosKernels_config.h>

/// First argument of a call of Kokkos Kernels: the instance that it runs on, with a comma. Kokkos Kernels before 4.1
/// accepts no instance and runs on the default instance of a View's execution space.
#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40100
#define SPOROS_KERNELS_RUN_ON(space) space,
#else
#define SPOROS_KERNELS_RUN_ON(space)
#endif
