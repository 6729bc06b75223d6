#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of device_code.sh: core/execution may use the macros, and each of them is found elsewhere.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/device_code.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/core/execution" "$tree/models"

printf '%s\n' '#ifdef __CUDA_ARCH__' >"$tree/core/execution/good.hpp"
printf '%s\n' 'SPOROS_IF_ON_HOST((return 0;))' >"$tree/models/good.hpp"
bash "$check" "$tree"

while read -r line; do
  printf '%s\n' "$line" >"$tree/models/bad.hpp"
  if answer=$(bash "$check" "$tree") || [[ $answer != *"$line"* ]]; then
    printf 'expected a complaint of: %s\nanswered: %s\n' "$line" "$answer"
    exit 1
  fi
done <<'END'
#ifdef __CUDA_ARCH__
#if defined(__HIP_DEVICE_COMPILE__)
#ifndef __SYCL_DEVICE_ONLY__
END
