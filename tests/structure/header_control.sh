# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# Shared part of negative controls that check headers. Include it with `source` after `check` is set to the path of the
# check.

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/core"

rejects() {  # rejects LINE COMPLAINT
  local answer
  printf '%s\n' "$1" >"$tree/core/x.hpp"
  if answer=$(bash "$check" "$tree") || [[ $answer != core/x.hpp:?:\ "$2" ]]; then
    printf 'expected: %s\nanswered: %s\n' "$2" "$answer"
    exit 1
  fi
  rm "$tree/core/x.hpp"
}
