#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# installation.sh SOURCE FOLDER BUILD: installs Sporos' libraries from the build tree FOLDER/BUILD and deletes that
# tree. Moves the installation to FOLDER/moved, so that later builds can use nothing else. No file in the installation
# may name a folder of the machine that made it.
set -euo pipefail
source=$1 folder=$2 build=$3

find "$folder" -mindepth 1 -maxdepth 1 ! -name "$build" -exec rm -r {} +
cmake --install "$folder/$build" --prefix "$folder/first" >"$folder/install.log"
rm -r "${folder:?}/$build"
mv "$folder/first" "$folder/moved"

if grep -rlF -e "$folder" -e "$source" -e "${HOME:-$folder}/" "$folder/moved"; then
  echo "the files above name folders of this machine"
  exit 1
fi
echo "$(find "$folder/moved" -name '*.hpp' | wc -l) headers, $(find "$folder/moved" -name '*.a' | wc -l) libraries installed"
