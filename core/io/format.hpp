// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// nvcc takes constexpr and consteval away from some of fmt's functions and so breaks those that call them.
#ifdef __CUDACC__
#ifndef FMT_USE_CONSTEXPR
#define FMT_USE_CONSTEXPR 1
#endif
#ifndef FMT_CONSTEVAL
#define FMT_CONSTEVAL
#endif
#endif

#include <fmt/format.h>
#if FMT_VERSION >= 110000
#include <fmt/ranges.h>  // join
#endif
