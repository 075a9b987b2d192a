#!/bin/bash
# Runs clang-tidy over src/ and include/, with the compile commands of a build that is configured.
#
# Most of its time clang-tidy looks at the headers of libraries. So sources that are compiled alike, whatever they may
# include, are looked at as a few large ones: names in anonymous namespaces of one namespace have to differ.
#
# The analyzer follows calls into small functions only, a sixth of the time; with --deep into all that it can.
set -euo pipefail
cd "$(dirname "$0")/.."

depth=(-Xclang -analyzer-config -Xclang mode=shallow)
if [[ ${1-} == --deep ]]; then
  depth=()
  shift
fi
if [[ $# -ne 1 || ! -f $1/compile_commands.json ]]; then
  echo "usage: tools/tidy.sh [--deep] <build directory>, configured with clang++ and with tests" >&2
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

# The sources of the layers; and for the public headers, and layers that have no sources, the file that includes all
# their headers. Each as <file> <folder's own settings> <where headers are looked for> <other flags>, separated by tabs.
sources=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$build/CMakeCache.txt")/src/
headers=$(sed -n 's/^CMAKE_CACHEFILE_DIR:INTERNAL=//p' "$build/CMakeCache.txt")/headers/
sed -n -e 's/^ *"command": "\(.*\)",$/\1/p' -e 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
  sed -e 's/\\\(.\)/\1/g' | paste - - |
  while IFS=$'\t' read -r command file; do
    if [[ $file == "$headers"*/all.cpp ]]; then
      layer=${file#"$headers"headers_}
      if grep -q "/anyorder_${layer%/all.cpp}\.dir/" "$build/compile_commands.json"; then
        continue
      fi
    else
      # What is always compiled as one file.
      if [[ $file == */Unity/unity_*.cxx ]]; then
        file=$(sed -n 's/^#include "\(.*\)"$/\1/p' "$file")
      fi
      [[ $file == "$sources"* ]] || continue
    fi
    own=${file%%$'\n'*}
    own=${own%/*}/.clang-tidy
    [[ -f $own ]] || own=.clang-tidy
    flags=${command#* }
    flags=${flags%% -o *}
    folders=$(grep -oE -- '(-I|-isystem )[^ ]+' <<<"$flags" | tr '\n' ' ')
    other=$(sed -E 's/ ((-I|-isystem )[^ ]+|-ffile-prefix-map=[^ ]+|-DTBB_USE_DEBUG)//g' <<<" $flags")
    while read -r one; do
      printf '%s\t%s\t%s\t%s\n' "$one" "$own" "$folders" "$other"
    done <<<"$file"
  done >"$joined/sources"

# <number>/sources.cpp has sources with the same flags, up to some length; the file flags has these, and all folders of
# headers. What comes from a source begins with "// from <file>".
folders=$(cut -f 3 "$joined/sources" | grep -oE -- '(-I|-isystem )[^ ]+' | awk '!seen[$0]++' | tr '\n' ' ')
sort -t $'\t' -s -k 2,2 -k 4,4 "$joined/sources" | {
  number=0
  kind=
  while IFS=$'\t' read -r file own _ flags; do
    if [[ $kind != "$own$flags" || $(stat -c %s "$joined/$number/sources.cpp") -gt 120000 ]]; then
      kind=$own$flags
      number=$((number + 1))
      mkdir "$joined/$number"
      printf '%s\n' "$flags $folders ${depth[*]}" >"$joined/$number/flags"
      cp "$own" "$joined/$number"
    fi
    printf '// from %s\n' "$file" >>"$joined/$number/sources.cpp"
    cat "$file" >>"$joined/$number/sources.cpp"
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
