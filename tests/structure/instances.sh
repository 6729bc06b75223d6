#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# instances.sh ROOT: all work of the headers under ROOT runs on the execution space instance that the caller gives. A
# kernel has a policy and that an instance, and no fence is for all of them. (A copy without an instance waits for all
# before and after it: it is slow, not wrong.)
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures -type f -name '*.hpp' 2>/dev/null | LC_ALL=C sort)

awk '
  function complain(message) { print FILENAME ":" FNR ": " message; ++faults }

  FNR == 1 { ++file; label = "" }
  { line = $0; sub(/\/\/.*/, "", line) }

  # A number of iterations where a policy should be, after a label or in the line behind it.
  { joined = label line; label = "" }
  match(joined, /parallel_(for|reduce|scan)\([ \t]*("[^"]*",)?[ \t]*$/) { label = substr(joined, RSTART) }
  joined ~ /parallel_(for|reduce|scan)\([ \t]*"[^"]*",[ \t]*([0-9]|[A-Za-z_.]*(extent|extent_int|size)\()/ {
    complain("launches a kernel on the default instance")
  }
  line ~ /Policy(<[^()]*>)?[({][0-9]/ { complain("makes a policy of the default instance") }
  line ~ /Kokkos::fence\(/ { complain("waits for all instances") }

  END {
    if (file == 0) { print "no header found"; exit 1 }
    if (faults == 0) print file " headers work on the instance that they are given"
    exit faults > 0
  }' ${files[@]+"${files[@]}"} </dev/null
