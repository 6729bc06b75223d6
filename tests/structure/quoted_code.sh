#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# quoted_code.sh ROOT: checks that every line of C++ that docs/embedding.md quotes is a line of an example, which is
# compiled.
set -euo pipefail
cd "$1"
page=docs/embedding.md

mapfile -t lines < <(awk '/^```cpp/ { quoting = 1; next } /^```/ { quoting = 0 } quoting && NF' "$page")
((${#lines[@]} > 0)) || { echo "$page quotes nothing"; exit 1; }
faults=0
for line in "${lines[@]}"; do
  grep -qxF -- "$line" examples/*.cpp || {
    echo "$page quotes what is in no example: $line"
    faults=1
  }
done
((faults == 0)) || exit 1
echo "$page quotes ${#lines[@]} lines of the examples"
