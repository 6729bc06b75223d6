#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# by_other_compiler.sh OTHER_COMPILER COMPILER OPTION...: compiler launcher; OTHER_COMPILER checks the source instead
# and writes nothing.
set -euo pipefail
other=$1
shift 2
options=()
for option in "$@"; do
  [[ $option == --param=* ]] || options+=("$option")  # only g++ accepts this option
done
exec "$other" "${options[@]}" -Werror -fsyntax-only
