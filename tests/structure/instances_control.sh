#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of instances.sh: good lines pass, and each kind of bad line in a header is found and named.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
check=$folder/instances.sh
# shellcheck source=tests/structure/header_control.sh
source "$folder/header_control.sh"

cat >"$tree/core/good.hpp" <<'END'
  Kokkos::parallel_for("sporos::a", Policy(space, 0, x.extent_int(0)), Body{x});
  Kokkos::parallel_for(
      "sporos::a",
      Kokkos::RangePolicy<Space>(space, 0, x.size()), body);
  Kokkos::parallel_for(components, [&](std::int32_t c) { p[c] /= sum; });
  space.fence();
  const View x(Kokkos::view_alloc(space, "sporos::a"), 3);
  const View y(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "sporos::a"), 3);
  Kokkos::deep_copy(m_space, x, 0);
  Kokkos::deep_copy(problem.execution(), x, 0);
END
bash "$check" "$tree"

launch='launches a kernel on the default instance'
policy='makes a policy of the default instance'
rejects 'Kokkos::parallel_for("sporos::a", 10, body);' "$launch"
rejects $'Kokkos::parallel_reduce(\n    "sporos::a", x.extent(0), body, sum);' "$launch"
rejects $'Kokkos::parallel_scan("sporos::a",\n    m_x.size(), body, sum);' "$launch"
rejects 'Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(0, n)' "$policy"
rejects 'Policy(0, n)' "$policy"
rejects 'Kokkos::fence("here");' 'waits for all instances'

zeroed='sets a View to 0 on the default instance'
filled='fills or copies a View on the default instance'
rejects 'Kokkos::View<double*, Space> x("sporos::a", 10);' "$zeroed"
rejects 'm_x = Vector<Space>("sporos::a", 10);' "$zeroed"
rejects 'm_x = decltype(m_x)("sporos::a", 10);' "$zeroed"
rejects ': m_x("sporos::a", 10) {}' "$zeroed"
rejects $'m_x = Vector<Space>(\n    "sporos::a", 10);' "$zeroed"
rejects 'Runner runner{Numbers{"sporos::a", 10}};' "$zeroed"
rejects 'Kokkos::View<T*, Memory> view(label, list.size());' "$zeroed"
rejects 'return Kokkos::View<T*, Memory>(label, list.size());' "$zeroed"
rejects 'const View x(Kokkos::view_alloc("sporos::a"), 10);' "$zeroed"
rejects 'const View x(Kokkos::view_alloc(std::string(label)), 10);' "$zeroed"
rejects 'Kokkos::resize(x, 10);' "$zeroed"
rejects 'Kokkos::realloc(x, 10);' "$zeroed"
rejects 'Kokkos::deep_copy(x, 0);' "$filled"
rejects 'Kokkos::deep_copy(Kokkos::subview(x, 0), 0.0);' "$filled"

rm "$tree/core/good.hpp"
! bash "$check" "$tree" || { echo "an empty tree passed"; exit 1; }
