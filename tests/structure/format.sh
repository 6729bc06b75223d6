#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# format.sh ROOT: every C++ file under ROOT is as clang-format writes it. Versions differ in what they write, so only
# the one that .clang-format is meant for is asked; where it is missing, the status is 77: skipped.
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
