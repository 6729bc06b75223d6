#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Negative control of links.py: good links pass, and each kind of bad link is found and named.
set -euo pipefail
check=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/links.py
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir "$tree/docs"

accepts() {
  printf '# A page: this one\n\n%s\n' "$1" >"$tree/docs/page.md"
  python3 "$check" "$tree"
}

rejects() {  # rejects TEXT COMPLAINT
  local answer
  if answer=$(accepts "$1") || [[ $answer != "docs/page.md: $2" ]]; then
    printf 'expected: %s\nanswered: %s\n' "$2" "$answer"
    exit 1
  fi
}

touch "$tree/docs/picture.svg"
accepts '![a picture](picture.svg) and [itself](page.md), [its heading](#a-page-this-one), [elsewhere](https://example.org/)'
accepts '[itself](page.md) and `code](nowhere.md)`'
accepts $'[the second heading](#twice-1)\n\n## Twice\n\n## Twice'
rejects '[a page](../page.md)' '../page.md does not exist'
rejects '![a picture](pictures/picture.svg)' 'pictures/picture.svg does not exist'
rejects '[a heading](#another-page)' '#another-page has no such heading'
rejects '[a heading](page.md#a-page)' 'page.md#a-page has no such heading'
if accepts 'no link at all'; then
  echo "a tree without links passed"
  exit 1
fi
