#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# counts.sh ROOT: checks that no computed double is converted to an integer by a plain cast or by llround. Their results
# are undefined if the double is too large. Use the functions of core/math/count.hpp instead.
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures runtime apps -type f \( -name '*.hpp' -o -name '*.cpp' \) \
  2>/dev/null | grep -v '^core/math/' | LC_ALL=C sort)
((${#files[@]} > 0)) || { echo "no source found"; exit 1; }

integer='static_cast<(std::)?(u?int[0-9]*_t|int|long|unsigned|size_t|ptrdiff_t)>'
rounds='(std)?::(ceil|floor|l?l?round|trunc|nearbyint|l?l?rint|pow|exp2)\('
if grep -nE "$integer\(.*$rounds|(^|[^a-z_])l?lr(ound|int)\(" "${files[@]}" |
  grep -vE "bounded_count|checked_count|: *//"; then
  echo "expected bounded_count or checked_count there"
  exit 1
fi
echo "${#files[@]} sources convert computed counts with a check"
