#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# says_first.sh OTHER_COMPILER COMPILER OPTION... SOURCE: compiler launcher for a SOURCE that must not compile. Comments
# in it, "// expected: SENTENCE", are the sentences that the compiler must print: the first of them within the first
# five lines, and no errors but sentences of ours. The rule also applies to OTHER_COMPILER, unless that is "none". Lines
# of source code, which g++ 14 repeats in its messages, do not count. A list of including files, which is longer with
# precompiled headers, counts as one line.
set -uo pipefail
other=$1 source=${*: -1}
shift

fail() {
  printf '%s: %s\n%s\n' "$source" "$1" "$output"
  exit 1
}

check() {
  local sentence others lines=5
  if [[ $1 == *clang* ]]; then
    set -- "$@" -fno-caret-diagnostics -ferror-limit=0  # otherwise clang stops after 20 errors
  else
    set -- "$@" -fno-diagnostics-show-caret
  fi
  output=$("$@" 2>&1) && fail "compiles with $1"
  output=$(sed -E '/^ +from /d' <<<"$output")
  while read -r sentence; do
    grep -qF "Sporos: $sentence" <<<"$(head -n "$lines" <<<"$output")" || fail "$1 does not say within five lines, or at all: $sentence"
    lines=-0  # later sentences may be anywhere
  done < <(sed -n 's|^// expected: ||p' "$source")
  others=$(grep 'error: ' <<<"$output" | grep -vF 'Sporos: ')
  # After an assertion in a class, clang finds more errors if the standard library uses that class.
  [[ $1 != *clang* ]] || others=$(grep -v '^/usr/' <<<"$others")
  [[ -z $others ]] || fail "$1 says more: $others"
}

# Omits options that only the first compiler accepts, and warnings, which the other compiler may give for headers of
# libraries.
known_to_other() {
  local option options=()
  for option in "${@:2}"; do
    [[ $option == --param=* || $option == -W* ]] || options+=("$option")
  done
  check "$other" "${options[@]}" -w -fsyntax-only
}

if [[ $other == none ]]; then
  check "$@"
else
  check "$@" -fsyntax-only
  known_to_other "$@"
fi
