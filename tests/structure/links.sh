#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# links.sh ROOT: checks that the links and pictures of all pages lead to existing files and headings.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/links.py" "$1"
