#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of counts.sh: good conversions pass, and each kind of bad conversion is found.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/counts.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/core/math" "$tree/models"

printf '%s\n' 'int n = static_cast<int>(bounded_count(std::ceil(x)));' 'auto m = static_cast<std::int64_t>(list.size());' \
  'auto k = std::bit_floor(static_cast<std::uint64_t>(n));' '// llround(x) is not used' >"$tree/core/good.hpp"
printf '%s\n' 'return static_cast<std::int64_t>(std::floor(number));' >"$tree/core/math/count.hpp"
bash "$check" "$tree"

while read -r line; do
  printf '%s\n' "$line" >"$tree/models/bad.cpp"
  if answer=$(bash "$check" "$tree") || [[ $answer != *"models/bad.cpp:1:$line"* ]]; then
    printf 'expected a complaint of: %s\nanswered: %s\n' "$line" "$answer"
    exit 1
  fi
done <<'END'
const auto n = static_cast<std::int64_t>(std::ceil(h * h));
const auto n = static_cast<int64_t>(2 * ::floor(h));
size_t n = static_cast<size_t>(std::pow(x, 2));
values[i] = std::llround(number);
n = lrint(number);
END

rm -r "$tree/core" "$tree/models"
! bash "$check" "$tree" || { echo "an empty tree passed"; exit 1; }
