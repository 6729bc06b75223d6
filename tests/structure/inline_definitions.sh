#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# inline_definitions.sh NM FILE...: checks that headers can be included in every file of a program. Each object file
# (.o) among the files consists of headers only. No symbol may be strong, because it would be defined twice. None may be
# local, because each file would have a different function of the same name.
set -euo pipefail
nm=$1
shift
objects=()
for file in "$@"; do
  [[ $file != *.o ]] || objects+=("$file")
done
((${#objects[@]} > 0)) || { echo "no object file is named"; exit 1; }

# Symbol types of nm for code, data, read-only data and zeros: capitals are global, small letters local. Local symbols
# of compilers and the standard library are not in namespace sporos.
found=$("$nm" -A -C --defined-only "${objects[@]}" | sed -E 's/^.*\/headers\/(.*)\.cpp\.o:/\1 /' | awk '
  { name = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", name) }
  $3 ~ /^[TDBRG]$/ { print $1 ": defines " name " without inline" }
  $3 ~ /^[tdbr]$/ && name ~ /^(guard variable for )?sporos::/ { print $1 ": defines " name " anew in each file" }')
[[ -z $found ]] || { echo "$found"; exit 1; }
echo "${#objects[@]} objects of headers define nothing twice"
