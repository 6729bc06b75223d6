#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# layering.sh ROOT: checks that every include under ROOT stays on its floor or goes down, according to the file `floors`
# next to this script. Reports each include that does not, and the permitted floors.
set -euo pipefail
floors=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/floors
cd "$1"

mapfile -t files < <(find python apps runtime procedures models optimizers core -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.in' \) 2>/dev/null | LC_ALL=C sort)

awk '
  function folder_of(path,   parts) {
    split(path, parts, "/")
    return parts[1] == "core" ? parts[1] "/" parts[2] : parts[1]
  }
  function allowed_for(folder,   other, list) {
    for (other = count; other >= 1; --other)
      if (floor_of[names[other]] > floor_of[folder]) list = list (list ? ", " : "") names[other]
    return list ? "only itself and " list : "nothing but itself"
  }
  function complain(message) { print FILENAME ":" FNR ": " message; ++faults }

  FNR == 1 { ++file }
  file == 1 && /^#/ { next }
  file == 1 {
    ++floor
    for (i = 1; i <= NF; ++i) { names[++count] = $i; floor_of[$i] = floor }
    next
  }

  FNR == 1 {
    own = folder_of(FILENAME)
    if (!(own in floor_of)) { complain(own " is on no floor of tests/structure/floors"); nextfile }
  }
  /^[ \t]*#[ \t]*include[ \t]*"/ && own != "apps" && own != "python" { complain("includes by a relative path; write <sporos/...>") }
  /^[ \t]*#[ \t]*include[ \t]*<sporos\// {
    included = $0
    sub(/^[^<]*<sporos\//, "", included)
    sub(/>.*/, "", included)
    other = folder_of(included)
    if (included == "version.hpp" || other == own) next
    if (!(other in floor_of))
      complain("includes " included ", which is on no floor of tests/structure/floors")
    else if (floor_of[other] <= floor_of[own])
      complain("includes " included ": " own " may know " allowed_for(own))
  }
  END {
    if (file < 2) { print "no header found"; exit 1 }
    if (faults == 0) print file - 1 " files keep to their floors"
    exit faults > 0
  }' "$floors" ${files[@]+"${files[@]}"}
