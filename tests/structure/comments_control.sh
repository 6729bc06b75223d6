#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of comments.sh: good comments pass, and each kind of fragment is found and named.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/comments.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/core"

cat >"$tree/core/good.hpp" <<'END'
/// Number of coordinates
/// of each point. A line may begin with "of".
int count = 0;  ///< number of points
// The same draws give the same responses.
END
bash "$check" "$tree"

for comment in '/// Of each coordinate.' '// That is solved.' '/// What of a run is told.' 'int n;  ///< of the points' \
  '/// The same.' '  // Who asks.' '/// The same for hosts.'; do
  printf 'int first;\n%s\n' "$comment" >"$tree/core/bad.hpp"
  if answer=$(bash "$check" "$tree"); then
    echo "accepted '$comment'"
    exit 1
  fi
  if [[ $answer != core/bad.hpp:2:* ]]; then
    echo "of '$comment' it reports '$answer'"
    exit 1
  fi
done
echo 'all fragments are found'
