#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# comments.sh ROOT: checks that comments make sense without the declarations under them. No comment in the C++ sources
# under ROOT may begin with a word of a fragment, such as "Of each coordinate." or "What is solved."
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures runtime apps python bench examples tests -type f \
  \( -name '*.hpp' -o -name '*.cpp' \) 2>/dev/null | LC_ALL=C sort)

awk '
  function check(text) {
    ++comments
    sub(/^[\/!]*<? */, "", text)
    if (text ~ /^([Oo]f|[Tt]hat|[Ww]hat|[Ww]ho|[Ww]hose) / || text ~ /^[Tt]he same(\.|,| of | as | for | with | in | by |$)/) {
      print FILENAME ":" FNR ": the comment begins with a fragment: " text
      ++faults
    }
  }

  FNR == 1 { ++file; inside = 0 }

  /^[ \t]*\/\// {
    if (!inside) check(substr($0, index($0, "//")))
    inside = 1
    next
  }
  { inside = 0 }
  match($0, /\/\/\/< /) { check(substr($0, RSTART)) }

  END {
    if (file == 0) { print "no source found"; exit 1 }
    if (faults == 0) print comments " comments in " file " files begin well"
    exit faults > 0
  }' ${files[@]+"${files[@]}"} </dev/null
