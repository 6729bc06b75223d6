#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# quoted_code.sh ROOT: checks that every line of C++ that docs/how-to/embed-in-a-kokkos-code.md and
# docs/how-to/write-an-event-model.md quote is a line of an example, which is compiled.
set -euo pipefail
cd "$1"

faults=0
for page in docs/how-to/{embed-in-a-kokkos-code,write-an-event-model}.md; do
  mapfile -t lines < <(awk '/^```cpp/ { quoting = 1; next } /^```/ { quoting = 0 } quoting && NF' "$page")
  ((${#lines[@]} > 0)) || { echo "$page quotes nothing"; exit 1; }
  for line in "${lines[@]}"; do
    grep -qxF -- "$line" examples/*.cpp || {
      echo "$page quotes what is in no example: $line"
      faults=1
    }
  done
  echo "$page quotes ${#lines[@]} lines of the examples"
done
exit "$faults"
