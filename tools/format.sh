#!/bin/bash
# Formats every C++ file of the repository in place; with --check only says which ones would change.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1-}" in
  "") mode=(-i) ;;
  --check) mode=(--dry-run --Werror) ;;
  *)
    echo "usage: tools/format.sh [--check]" >&2
    exit 64
    ;;
esac

# Other versions of clang-format disagree in details: 14 decides, where it is there.
clang_format=$(command -v clang-format-14 || command -v clang-format) || {
  echo "clang-format is missing: install clang-format-14" >&2
  exit 69
}

find . -path ./build -prune -o -type f \( -name '*.cpp' -o -name '*.hpp' \) -print0 |
  xargs -0 -r "$clang_format" --style=file "${mode[@]}"
