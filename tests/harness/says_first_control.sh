#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# says_first_control.sh SAYS_FIRST: checks that it accepts a compiler that prints the expected sentences, and no other.
set -uo pipefail
says_first=$1
source=$(mktemp --suffix .cpp)
trap 'rm "$source"' EXIT
printf '// expected: a model must be right\n// expected: a source must be right\n' >"$source"
right=$'x.cpp: error: Sporos: a model must be right\nx.cpp: error: Sporos: a source must be right'

# Simulates a compiler that prints $said and then fails with $status.
compiler() {
  printf '%s\n' "$said"
  return "$status"
}
export -f compiler

expect() {
  local wanted=$1 got=0
  export status=$2 said=$3
  bash "$says_first" none compiler "$source" >/dev/null || got=1
  ((got == wanted)) || {
    echo "exit status $got instead of $wanted where a compiler ends with $status and says: $said"
    exit 1
  }
}

expect 0 1 "$right"
expect 1 0 "$right"                                        # the source compiles
expect 1 1 $'1\n2\n3\n4\n5\n'"$right"                      # the sentence comes too late
expect 1 1 'x.cpp: error: Sporos: a model must be right'   # a sentence is missing
expect 1 1 "$right"$'\nx.cpp: error: no matching function' # there are errors other than our sentences
