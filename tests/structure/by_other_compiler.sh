#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# by_other_compiler.sh OTHER_COMPILER COMPILER OPTION...: the launcher of a compiler; OTHER_COMPILER checks the source in
# its place and writes nothing.
set -euo pipefail
other=$1
shift 2
options=()
for option in "$@"; do
  [[ $option == --param=* ]] || options+=("$option")  # what only g++ knows
done
exec "$other" "${options[@]}" -Werror -fsyntax-only
