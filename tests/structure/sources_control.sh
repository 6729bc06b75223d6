#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of sources.sh.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/sources.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
license='// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'

rejects() {  # rejects FILE CONTENT COMPLAINT
  local answer
  printf '%s\n' "$2" >"$tree/$1"
  if answer=$(bash "$check" "$tree") || [[ $answer != "$1: $3" ]]; then
    printf 'expected: %s: %s\nanswered: %s\n' "$1" "$3" "$answer"
    exit 1
  fi
  rm "$tree/$1"
}

printf '%s\n#pragma once\n' "$license" >"$tree/good.hpp"
printf '#!/bin/sh\n%s\n' "$license" >"$tree/good"
bash "$check" "$tree"

rejects bad.hpp '#pragma once' 'no SPDX line at its top'
rejects bad.hpp "$license" 'no #pragma once at its top'
rejects bad.cpp 'int main() {}' 'no SPDX line at its top'
rejects bad '#!/bin/sh' 'no SPDX line at its top'
