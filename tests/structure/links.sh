#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# links.sh ROOT: links and pictures of all pages lead somewhere.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/links.py" "$1"
