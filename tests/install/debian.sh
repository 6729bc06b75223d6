#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# debian.sh BUILD SOURCE KOKKOS FOLDER VERSION PROGRAM...: makes the Debian packages of BUILD, unpacks them to
# FOLDER/root, and checks their metadata and contents. The PROGRAMs are those of the built backends.
set -euo pipefail
build=$1 source=$2 kokkos=$3 folder=$4 version=$5
shift 5

fail() {
  printf '%s\n' "$*"
  exit 1
}

# field PACKAGE NAME PATTERN: checks that the field NAME of the control file of PACKAGE matches PATTERN.
field() {
  local value
  value=$(dpkg-deb -f "$1" "$2")
  [[ $value == $3 ]] || fail "${1##*/}: $2 is '$value', expected '$3'"
}

rm -rf "$folder"
mkdir -p "$folder"
cpack --config "$build/CPackConfig.cmake" -G DEB -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip -B "$folder/packages" >"$folder/cpack.log" 2>&1 ||
  fail "$(tail -n 20 "$folder/cpack.log")"
architecture=$(dpkg --print-architecture)
headers=$folder/packages/libsporos-dev_${version}_$architecture.deb
programs=$folder/packages/sporos_${version}_$architecture.deb

for package in "$headers" "$programs"; do
  [[ -f $package ]] || fail "there is no $package"
  field "$package" Version "$version"
  field "$package" Maintainer '?* <?*@?*>'
  field "$package" Description 'simulation optimization on Kokkos - *'
  dpkg-deb -x "$package" "$folder/root"
done
field "$headers" Package libsporos-dev
field "$headers" Section libdevel
field "$headers" Depends '*libboost-dev (>= 1.74)*libfmt-dev*nlohmann-json3-dev*libcsv-dev*'
field "$headers" Recommends 'libmuparser-dev*'
field "$programs" Package sporos
field "$programs" Section science
field "$programs" Architecture "$architecture"
field "$programs" Depends '*libc6 (>= *libcsv3 (>= *libstdc++6 (>= *'
if [[ $(ldd "$build/bin/sporos-serial") == */openblas-serial/* ]]; then
  field "$programs" Depends '*libopenblas0-serial*'
fi

# All files are in the expected places, and there are no others.
strange=$(cd "$folder/root" && find . ! -type d | grep -vE \
  '^\./usr/(bin/sporos(-[a-z]+)?|include/sporos/.*\.hpp|lib/(libsporos_[a-z_]+\.a|cmake/Sporos/([A-Za-z0-9_-]+\.cmake|vector_operations\.cpp|python/(sporos(/_model)?|own_package)/[a-z_]+\.(py|typed)))|share/doc/(sporos|libsporos-dev)/(copyright|changelog))$' || true)
[[ -z $strange ]] || fail "files in unusual places: $strange"
for file in include/sporos/version.hpp lib/cmake/Sporos/SporosConfig.cmake lib/libsporos_core.a \
  share/doc/{sporos,libsporos-dev}/{copyright,changelog}; do
  [[ -s $folder/root/usr/$file ]] || fail "/usr/$file is missing"
done

# No file names a folder of the machine that made the packages.
if grep -rlF -e "$folder" -e "$source" -e "$build" -e "${kokkos%%/lib*}/" -e "${HOME:-$build}/" "$folder/root"; then
  fail "the files above name folders of this machine"
fi

for program in "$@" sporos; do
  answer=$("$folder/root/usr/bin/$program" --version)
  [[ $answer == "sporos $version" ]] || fail "$program --version answers '$answer', its package has version $version"
  ! readelf -d "$folder/root/usr/bin/$program" | grep -E 'RPATH|RUNPATH' | grep -v '\[/usr/lib/[a-z0-9_-]*/openblas-serial\]' ||
    fail "$program looks for libraries there"
done
echo "libsporos-dev and sporos $version, with $*"
