#!/bin/bash
# Runs clang-tidy over src/ and include/, with the compile commands of a build that is configured.
#
# Most of its time clang-tidy looks at the headers of libraries. So the sources of a layer that are compiled alike are
# looked at as one: names in their anonymous namespaces have to differ.
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

joined=$build/tidy
rm -rf "$joined"
mkdir -p "$joined"
cp .clang-tidy "$joined" # it is looked for beside the sources and above

# The sources of the layers; and for the public headers, and layers that have no sources, the file that includes all
# their headers. Each as <target> <file> <flags>, separated by tabs.
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")/src/
headers=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$build/CMakeCache.txt")/headers/
sed -n -e 's/^ *"command": "\(.*\)",$/\1/p' -e 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
  sed -e 's/\\\(.\)/\1/g' | paste - - |
  while IFS=$'\t' read -r command file; do
    target=${command##*CMakeFiles/}
    target=${target%%.dir/*}
    if [[ $file == "$headers"*/all.cpp ]]; then
      layer=${file#"$headers"headers_}
      if grep -q "/anyorder_${layer%/all.cpp}\.dir/" "$build/compile_commands.json"; then
        continue
      fi
    elif [[ $file != "$sources"* ]]; then
      continue
    fi
    flags=${command#* }
    printf '%s\t%s\t%s\n' "$target" "$file" "${flags%% -o *}"
  done >"$joined/sources"

# <target>.<number>/sources.cpp has the sources that have the same flags; the file flags has these. What comes from a source
# begins with "// from <file>". A folder's own settings come along.
cut -f 1,3 "$joined/sources" | sort -u | {
  number=0
  while IFS=$'\t' read -r target flags; do
    number=$((number + 1))
    folder=$joined/$target.$number
    mkdir "$folder"
    printf '%s\n' "$flags" >"$folder/flags"
    while IFS=$'\t' read -r of file with; do
      if [[ $of == "$target" && $with == "$flags" ]]; then
        printf '// from %s\n' "$file"
        cat "$file"
        if [[ -f ${file%/*}/.clang-tidy ]]; then
          cp "${file%/*}/.clang-tidy" "$folder"
        fi
      fi
    done <"$joined/sources" >"$folder/sources.cpp"
  done
}

# tidy <file>: says in what file and line something is, not where that is in the joined one. A header is included once
# for each source.
tidy() {
  local status=0 flags
  eval "flags=($(<"${1%/*}/flags"))"
  "$clang_tidy" --quiet --checks=-readability-duplicate-include "$1" -- "${flags[@]}" >"$1.out" 2>"$1.err" ||
    status=$?
  awk -v joined="$1" '
    FNR == NR { if (sub(/^\/\/ from /, "")) { file = $0; first = FNR } else { files[FNR] = file; lines[FNR] = FNR - first } next }
    index($0, joined ":") {
      rest = substr($0, index($0, joined ":") + length(joined) + 1)
      line = rest + 0
      sub(/^[0-9]+/, "", rest)
      print files[line] ":" lines[line] rest
      next
    }
    { print }' "$1" "$1.out"
  if [[ $status -ne 0 ]]; then
    grep -v 'warnings\? generated\.$' "$1.err" || true
  fi
  return "$status"
}
export -f tidy
export clang_tidy

# The largest first, so that none is left to one processor alone.
ls -S "$joined"/*/sources.cpp | tr '\n' '\0' | xargs -0 -n 1 -P "$(nproc)" bash -c 'tidy "$1"' tidy
