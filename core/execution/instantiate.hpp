// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

/// @file
/// Explicit instantiation of templates, once for all programs of a build. Sporos' own tests use it to save compile
/// time. In other builds, such as users' programs, each translation unit instantiates the templates that it uses.

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
/// Instantiates a template for the host's execution spaces. DECLARATION is a macro that declares its instance for an
/// execution space. In a build that instantiates once, the translation units that define SPOROS_INSTANTIATES make the
/// instances, and all others only declare them; in other builds this macro does nothing.
#define SPOROS_INSTANTIATE(DECLARATION)
#endif
