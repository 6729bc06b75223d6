#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of names.sh: a good header passes, and each kind of bad line in it is found and named.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
check=$folder/names.sh
# shellcheck source=tests/structure/header_control.sh
source "$folder/header_control.sh"

cat >"$tree/core/good.hpp" <<'END'
// A comment with namespace {
#define SPOROS_TWO_LINES(x) \
  struct x {}
/* A comment
   of two lines */
namespace sporos::models {
inline int f() { return 1; }
}  // namespace sporos::models

namespace Kokkos {
template <>
struct reduction_identity<sporos::Sum> {};
}  // namespace Kokkos
END
bash "$check" "$tree"

rejects '#define LOG(x) x' 'defines the macro LOG, expected a name that begins with SPOROS_'
rejects '  #  define FMT_CONSTEVAL' 'defines the macro FMT_CONSTEVAL, expected a name that begins with SPOROS_'
rejects 'inline int f() { return 1; }' 'declares something outside of namespace sporos'
rejects $'namespace sporos {\n}  // namespace sporos\nstruct Late {};' 'declares something outside of namespace sporos'
rejects 'namespace spores {' 'declares something outside of namespace sporos'
rejects $'namespace sporos {\nnamespace {' 'has an unnamed namespace'
rejects $'namespace sporos {\nusing namespace std;' 'uses a namespace for whoever includes it'

rm "$tree/core/good.hpp"
! bash "$check" "$tree" || { echo "an empty tree passed"; exit 1; }
