#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# format.sh ROOT: checks that clang-format would not change any C++ file under ROOT. Versions differ in their output, so
# only the version for which .clang-format is written counts. If it is missing, the exit status is 77: skipped.
set -euo pipefail
cd "$1"
version=14

for tool in "clang-format-$version" clang-format none; do
  [[ $("$tool" --version 2>/dev/null) != *"version $version."* ]] || break
done
if [[ $tool == none ]]; then
  echo "skipped: clang-format $version is not installed"
  exit 77
fi

find . -path './build*' -prune -o -name '*.[ch]pp' -print0 |
  xargs -0 "$tool" --dry-run -Werror --style=file
