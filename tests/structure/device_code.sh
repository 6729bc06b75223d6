#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# device_code.sh ROOT: checks that only core/execution uses the compilers' macros for device code. Other code that
# differs between host and device uses SPOROS_IF_ON_HOST and SPOROS_IF_ON_DEVICE, so that another backend needs no new
# branch.
set -euo pipefail
cd "$1"

mapfile -t files < <(find core models optimizers procedures runtime apps python examples -type f \
  \( -name '*.hpp' -o -name '*.cpp' \) 2>/dev/null | grep -v '^core/execution/' | LC_ALL=C sort)
((${#files[@]} > 0)) || { echo "no source found"; exit 1; }

if grep -nE '__CUDA_ARCH__|__HIP_DEVICE_COMPILE__|__SYCL_DEVICE_ONLY__' "${files[@]}"; then
  echo "expected SPOROS_IF_ON_HOST, SPOROS_IF_ON_DEVICE or a function of core/execution there"
  exit 1
fi
echo "${#files[@]} sources leave it to core/execution for which side the compiler compiles"
