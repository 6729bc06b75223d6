#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# header_table.sh ROOT: checks that the headers in the table of docs/reference/cpp-headers.md exist and contain the names
# that the table says.
set -euo pipefail
cd "$1"

faults=0
names_checked=0
while IFS='|' read -r _ names header _; do
  [[ $header == *.hpp* ]] || continue
  file=$(tr -d ' `' <<<"$header")
  for name in $(tr -d '`,' <<<"$names"); do
    names_checked=$((names_checked + 1))
    grep -qsw "$name" "$file" && continue
    echo "docs/reference/cpp-headers.md: $name is not in $file"
    faults=$((faults + 1))
  done
done <docs/reference/cpp-headers.md

((names_checked > 0)) || { echo "no name found"; exit 1; }
((faults == 0)) || exit 1
echo "$names_checked names are in their headers"
