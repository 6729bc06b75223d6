#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# inline_definitions_control.sh NM COMPILER: negative control of inline_definitions.sh.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/inline_definitions.sh
nm=$1 compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/headers/core"

answer_to() {  # answer_to CODE
  "$compiler" -std=c++20 -x c++ -c -o "$folder/headers/core/x.hpp.cpp.o" - <<<"namespace sporos { $1 }"
  bash "$check" "$nm" "$folder/headers/core/x.hpp.cpp.o"
}

rejects() {  # rejects CODE COMPLAINT
  local answer
  if answer=$(answer_to "$1") || [[ $answer != "core/x.hpp: defines $2" ]]; then
    printf 'expected: %s\nanswered: %s\n' "$2" "$answer"
    exit 1
  fi
}

answer_to 'inline int f(int x) { static int calls = 0; return calls += x; } inline int g() { return f(2); }
           template <class T> T twice(T x) { return x + x; } template int twice<int>(int); inline int (*p)() = g;'
rejects 'int f() { return 1; }' 'sporos::f() without inline'
rejects 'int calls;' 'sporos::calls without inline'
rejects 'int calls = 1;' 'sporos::calls without inline'
rejects 'extern const double table[2]; const double table[2] = {1, 2};' 'sporos::table without inline'
rejects 'static int f() { return 1; } inline int (*p)() = f;' 'sporos::f() anew in each file'
