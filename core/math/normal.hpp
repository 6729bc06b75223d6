// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sporos/core/math/exp.hpp>
#include <sporos/core/math/log.hpp>

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace sporos::math {

/// Φ⁻¹(p) (Wichura, AS 241).
KOKKOS_INLINE_FUNCTION double normal_quantile(double p) {
  const double q = p - 0.5;
  if (impl::absolute(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
                45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r +
             133.14166789178437745) * r + 3.387132872796366608) /
           (((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
                21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r +
             42.313330701600911252) * r + 1.0);
  }
  double r = q < 0.0 ? p : 1.0 - p, x;
  if (!(r > 0.0)) return r == 0.0 ? impl::with_sign_of(impl::infinity, q) : impl::quiet_nan;
  r = ::sqrt(-log(r));
  if (r <= 5.0) {
    r -= 1.6;
    x = (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
             1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.7694972214606914055) * r +
          4.6303378461565452959) * r + 1.42343711074968357734) /
        (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
             0.14810397642748007459) * r + 0.68976733498510000455) * r + 1.6763848301838038494) * r +
          2.05319162663775882187) * r + 1.0);
  } else {
    r -= 5.0;
    x = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
             0.026532189526576123093) * r + 0.29656057182850489123) * r + 1.7848265399172913358) * r +
          5.4637849111641143699) * r + 6.6579046435011037772) /
        (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
             7.868691311456132591e-4) * r + 0.0148753612908506148525) * r + 0.13692988092273580531) * r +
          0.59983220655588793769) * r + 1.0);
  }
  return impl::with_sign_of(x, q);
}

/// Φ(x).
KOKKOS_INLINE_FUNCTION double normal_cdf(double x) {
  // A placeholder of full range: continued fraction in the tails, series in the middle.
  const double a = impl::absolute(x);
  if (a != a) return impl::quiet_nan;
  const double density = 0.3989422804014327 * exp(-0.5 * a * a);
  double tail;
  if (a < 4.0) {
    double term = a, sum = a;
    for (int i = 1; i < 100; ++i) sum += (term *= a * a / (2 * i + 1));
    tail = 0.5 - density * sum;
  } else {
    double f = 0.0;
    for (int i = 60; i > 0; --i) f = i / (a + f);
    tail = a > 40.0 ? 0.0 : density / (a + f);
  }
  return x < 0.0 ? tail : 1.0 - tail;
}
KOKKOS_FORCEINLINE_FUNCTION float normal_quantile(float p) {
  return impl::narrow(normal_quantile(static_cast<double>(p)));
}
KOKKOS_FORCEINLINE_FUNCTION float normal_cdf(float x) { return impl::narrow(normal_cdf(static_cast<double>(x))); }

}  // namespace sporos::math
