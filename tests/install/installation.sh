#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# installation.sh SOURCE FOLDER CMAKE_OPTION...: installs Sporos' libraries from a build tree of their own, deletes that
# and moves the installation to FOLDER/moved: whoever builds with it has nothing else. No file in it may name a folder
# of the machine that made it.
set -euo pipefail
source=$1 folder=$2
shift 2

rm -rf "$folder"
mkdir -p "$folder"
cmake -S "$source" -B "$folder/build" -DCMAKE_INSTALL_PREFIX="$folder/first" -DSPOROS_BUILD_APPS=OFF \
  -DSPOROS_BUILD_EXAMPLES=OFF -DSPOROS_BUILD_TESTS=OFF -DSPOROS_BUILD_BENCHMARKS=OFF -DSPOROS_BUILD_PYTHON=OFF \
  "$@" >"$folder/configure.log"
cmake --build "$folder/build" >"$folder/build.log"
cmake --install "$folder/build" >"$folder/install.log"
rm -r "$folder/build"
mv "$folder/first" "$folder/moved"

if grep -rlF -e "$folder" -e "$source" -e "${HOME:-$folder}/" "$folder/moved"; then
  echo "the files above name folders of this machine"
  exit 1
fi
echo "$(find "$folder/moved" -name '*.hpp' | wc -l) headers, $(find "$folder/moved" -name '*.a' | wc -l) libraries installed"
