// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// nvcc drops constexpr and consteval from some of fmt's functions, which breaks their callers.
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
