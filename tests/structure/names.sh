#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# names.sh ROOT: checks that a program can use any other library alongside Sporos, and Sporos in several of its parts.
# In every header under ROOT, macros begin with SPOROS_. Everything else is in namespace sporos or, for specializations
# of Kokkos' templates, in namespace Kokkos. No `using namespace` affects code that includes the header. Unnamed
# namespaces are refused, because they would differ in every file.
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures cmake -type f \( -name '*.hpp' -o -name '*.hpp.in' \) \
  2>/dev/null | LC_ALL=C sort)

awk '
  function complain(message) { print FILENAME ":" FNR ": " message; ++faults }

  FNR == 1 { ++file; open = 0; continues = 0; comment = 0 }

  # A macro and its continuation lines.
  continues || /^[ \t]*#/ {
    if (!continues && match($0, /^[ \t]*#[ \t]*define[ \t]+[A-Za-z_0-9]+/)) {
      name = substr($0, RSTART, RLENGTH)
      sub(/^.*[ \t]/, "", name)
      # Macros by which users configure fmt.
      if (name !~ /^SPOROS_/ && !(FILENAME == "core/io/format.hpp" && name ~ /^FMT_(USE_CONSTEXPR|CONSTEVAL)$/))
        complain("defines the macro " name ", expected a name that begins with SPOROS_")
    }
    continues = /\\$/
    next
  }

  { line = $0; sub(/\/\/.*/, "", line) }
  comment { if (line ~ /\*\//) comment = 0; next }
  line ~ /^[ \t]*\/\*/ && line !~ /\*\// { comment = 1; next }

  line ~ /^[ \t]*(inline )?namespace[ \t]*\{/ { complain("has an unnamed namespace") }
  line ~ /^[ \t]*using[ \t]+namespace/ && line !~ /^[ \t][ \t]/ { complain("uses a namespace for whoever includes it") }

  !open && line ~ /^[ \t]*$/ { next }
  !open && line ~ /^namespace (sporos|Kokkos)(::[a-z_:]+)? \{\}?[ \t]*$/ { if (line !~ /\}/) open = 1; next }
  !open { complain("declares something outside of namespace sporos"); next }
  line ~ /^\}[ \t]*$/ && $0 ~ /namespace (sporos|Kokkos)/ { open = 0 }

  END {
    if (file == 0) { print "no header found"; exit 1 }
    if (faults == 0) print file " headers keep to their names"
    exit faults > 0
  }' ${files[@]+"${files[@]}"} </dev/null
