#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# inline_definitions.sh NM FILE...: each object file (.o) among the files is of nothing but headers. What a header defines
# may be defined in every file of a program and still be one thing: no symbol is strong (it would be there twice), none is
# the file's own (its functions would be different functions of one name).
set -euo pipefail
nm=$1
shift
objects=()
for file in "$@"; do
  [[ $file != *.o ]] || objects+=("$file")
done
((${#objects[@]} > 0)) || { echo "no object file is named"; exit 1; }

# Of the types of nm: code, data, read-only data and zeros, of all files (capitals) or of one. What compilers and the
# standard library have of their own in each file is not in namespace sporos.
found=$("$nm" -A -C --defined-only "${objects[@]}" | sed -E 's/^.*\/headers\/(.*)\.cpp\.o:/\1 /' | awk '
  { name = $0; sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", name) }
  $3 ~ /^[TDBRG]$/ { print $1 ": defines " name " without inline" }
  $3 ~ /^[tdbr]$/ && name ~ /^(guard variable for )?sporos::/ { print $1 ": defines " name " anew in each file" }')
[[ -z $found ]] || { echo "$found"; exit 1; }
echo "${#objects[@]} objects of headers define nothing twice"
