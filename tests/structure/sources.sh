#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# sources.sh ROOT: checks that every source under ROOT names its license in its first two lines (the first line of a
# script names its interpreter). Every header must start with `#pragma once`. Checks the files that git tracks or would
# track; without git, every file.
set -euo pipefail
cd "$1"

listed() {
  if [[ -e .git ]] && git -c safe.directory='*' ls-files --cached --others --exclude-standard 2>/dev/null; then
    return
  fi
  find . -path './build*' -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./||'
}

faults=0
complain() {
  echo "$1"
  faults=$((faults + 1))
}

count=0
while read -r file; do
  [[ -f $file ]] || continue
  { mapfile -n 5 -t lines <"$file"; } 2>/dev/null  # starts no process, because there are a thousand files
  printf -v head '%s\n' "${lines[@]}"
  case $file in
    *.hpp | *.cpp | *.cmake | *.in | *.sh | CMakeLists.txt | */CMakeLists.txt) ;;
    *) [[ $head == '#!'* ]] || continue ;;
  esac
  count=$((count + 1))
  [[ "${lines[0]-} ${lines[1]-}" == *'SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'* ]] ||
    complain "$file: no SPDX line at its top"
  [[ $file != *.hpp && $file != *.hpp.in || $head == *'#pragma once'* ]] || complain "$file: no #pragma once at its top"
done < <(listed | LC_ALL=C sort)

((count > 0)) || complain "no source found"
((faults == 0)) || exit 1
echo "$count sources are in order"
