// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// @file
/// Templates that are instantiated once for all programs of a build: in that of Sporos' own tests, where compiling is
/// what takes time. Elsewhere, in a user's program above all, each translation unit instantiates them as usual.

#ifdef SPOROS_INSTANTIATED_ONCE
#ifdef SPOROS_INSTANTIATES
#define SPOROS_INSTANTIATION template
#else
#define SPOROS_INSTANTIATION extern template
#endif

#ifdef KOKKOS_ENABLE_SERIAL
#define SPOROS_INSTANTIATE_ON_SERIAL(DECLARATION) SPOROS_INSTANTIATION DECLARATION(Kokkos::Serial);
#else
#define SPOROS_INSTANTIATE_ON_SERIAL(DECLARATION)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define SPOROS_INSTANTIATE_ON_OPENMP(DECLARATION) SPOROS_INSTANTIATION DECLARATION(Kokkos::OpenMP);
#else
#define SPOROS_INSTANTIATE_ON_OPENMP(DECLARATION)
#endif

#define SPOROS_INSTANTIATE(DECLARATION) \
  SPOROS_INSTANTIATE_ON_SERIAL(DECLARATION) SPOROS_INSTANTIATE_ON_OPENMP(DECLARATION)
#else
/// Of a template, by a macro that declares its instance for an execution space: explicit instantiations for the host's
/// execution spaces, where they are made; their declarations in other translation units of a build that has them.
#define SPOROS_INSTANTIATE(DECLARATION)
#endif
