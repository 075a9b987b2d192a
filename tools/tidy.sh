#!/bin/bash
# Runs clang-tidy over src/ and include/, with the compile commands of a build that is configured.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $# -ne 1 || ! -f $1/compile_commands.json ]]; then
  echo "usage: tools/tidy.sh <build directory>, configured with clang++ and with tests" >&2
  exit 64
fi
build=$1

clang_tidy=$(command -v clang-tidy-14 || command -v clang-tidy) || {
  echo "clang-tidy is missing: install clang-tidy-14" >&2
  exit 69
}

# The sources of the layers; and for the public headers, and layers that have no sources, the file that includes all
# their headers.
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")/src/
headers=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$build/CMakeCache.txt")/headers/
sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
  while IFS= read -r file; do
    if [[ $file == "$sources"* ]]; then
      printf '%s\0' "$file"
    elif [[ $file == "$headers"*/all.cpp ]]; then
      layer=${file#"$headers"headers_}
      if ! grep -q "/anyorder_${layer%/all.cpp}\.dir/" "$build/compile_commands.json"; then
        printf '%s\0' "$file"
      fi
    fi
  done | xargs -0 -n 1 -P "$(nproc)" "$clang_tidy" -p "$build" --quiet
