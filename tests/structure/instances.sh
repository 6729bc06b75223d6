#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# instances.sh ROOT: checks that all work of the headers under ROOT runs on the execution space instance that the caller
# passes. A kernel has a policy with that instance, and no fence waits for all instances. A View is unset, or set to 0
# by an instance (view_alloc with WithoutInitializing or with the instance), and is filled by an instance. Only
# copy_elements and create_mirror_view_and_copy copy without an instance: they wait for all work before and after the
# copy, and launch no kernel.
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures -type f -name '*.hpp' 2>/dev/null | LC_ALL=C sort)

awk '
  function complain(message) { print FILENAME ":" FNR ": " message; ++faults }

  # Whether a label is the first argument of something else than these functions. The remaining case is the constructor
  # of a View, which sets it to 0 on the default instance. Add each new function whose first argument is a label here.
  function makes_view(text,   callee) {
    while (match(text, /([A-Za-z_0-9]+(<[^(){}"]*>)?|[>)])[({][ \t]*"sporos::/)) {
      callee = substr(text, RSTART, RLENGTH)
      sub(/[({<].*/, "", callee)
      text = substr(text, RSTART + RLENGTH)
      if (callee !~ /^(parallel_(for|reduce|scan)|for_each_[a-z_]+|view_alloc|[a-z]+_view|string|unset|plain|matrix|numbers|copied|simulate|region|label_with_model)$/) {
        return 1
      }
    }
    return 0
  }

  FNR == 1 { ++file; label = ""; opened = "" }
  { line = $0; sub(/\/\/.*/, "", line) }

  # A number of iterations instead of a policy, after a label or in the next line.
  { joined = label line; label = "" }
  match(joined, /parallel_(for|reduce|scan)\([ \t]*("[^"]*",)?[ \t]*$/) { label = substr(joined, RSTART) }
  joined ~ /parallel_(for|reduce|scan)\([ \t]*"[^"]*",[ \t]*([0-9]|[A-Za-z_.]*(extent|extent_int|size)\()/ {
    complain("launches a kernel on the default instance")
  }
  line ~ /Policy(<[^()]*>)?[({][0-9]/ { complain("makes a policy of the default instance") }
  line ~ /Kokkos::fence\(/ { complain("waits for all instances") }

  # A View made from a label, which may also begin the line after the parenthesis.
  {
    text = line
    sub(/^[ \t]+/, "", text)
    if (makes_view(opened text)) complain("sets a View to 0 on the default instance")
    opened = line ~ /[({][ \t]*$/ ? line : ""
  }
  line ~ /Kokkos::(resize|realloc)\(/ || line ~ /View<.*>[ a-z_]*[({](label|name),/ ||
      line ~ /view_alloc\((std::string\()?("[^"]*"|label|name)\)/ {
    complain("sets a View to 0 on the default instance")
  }
  line ~ /deep_copy\(/ && line !~ /deep_copy\(([a-z_.]*space|[a-z_.]*execution\(\)),/ && FILENAME != "core/execution/copy_elements.hpp" {
    complain("fills or copies a View on the default instance")
  }

  END {
    if (file == 0) { print "no header found"; exit 1 }
    if (faults == 0) print file " headers work on the instance that they are given"
    exit faults > 0
  }' ${files[@]+"${files[@]}"} </dev/null
