#!/bin/bash
# Reports have places of accesses from the program itself: sites.sh <anyorder> <compiler> <folder>
#
# The program in sites/ races at each line with a mark, and nowhere else; how it is linked, and whether debug
# information is left, does not matter.
set -euo pipefail
anyorder=$(realpath "$1")
export ANYORDER_CXX=$2
sources=$(realpath "$(dirname "$0")/sites")
mkdir -p "$3"
cd "$3"
rm -rf -- *
cp "$sources"/* .

fails=0
fail() {
  fails=1
  printf '%s\n' "$*"
}

# build <program> [option]...
build() {
  local program=$1
  shift
  "$anyorder" c++ -O2 -g -fPIC -shared library.cpp -o "lib$program.so" "$@"
  "$anyorder" c++ -O2 -g -fPIC -shared gone.cpp -o "$program.gone.so" "$@"
  "$anyorder" c++ -O2 -g main.cpp other.cpp -o "$program" "$@" -L. "-l$program" -Wl,-rpath,'$ORIGIN'
}

# The places of racing accesses, as <file>:<line>, and what is accessed if it is known.
places() {
  grep -oE '"access":"write","file":"[^"]*","line":[0-9]+,"column":[0-9]+,"function":"[^"]*"(,"expression":"[^"]*")?' "$1" |
    sed -E 's|.*"file":"([^"]*/)?([^"/]*)","line":([0-9]+).*"function":"[^"]*"(,"expression":"([^"]*)")?$|\2:\3 \5|; s/ $//' |
    sort -u
}
grep -n 'SITE .*: ' ./*.cpp shared.hpp | grep -v '// *// SITE' | sed -nE 's|^(\./)?([^:]*):([0-9]+):.*// SITE .*: (.*)$|\2:\3 \4|p' | sort >marked
grep -nH '// CALL$' main.cpp | sed -E 's|^([^:]*):([0-9]+):.*|\1 \2|' >calls

# check <program> <what it is>
check() {
  local status=0
  "$anyorder" check --json "$1.json" -- "./$1" "./$1.gone.so" >/dev/null 2>"$1.txt" || status=$?
  [[ $status -eq 66 ]] || fail "$2: the check ended with $status"
  places "$1.json" >"$1.places"
  # Of two accesses on a line, one may have lost its variable.
  if ! diff marked <(grep ' ' "$1.places"); then fail "$2: other places than those marked"; fi
  if ! diff <(cut -d' ' -f1 marked) <(cut -d' ' -f1 "$1.places" | sort -u); then fail "$2: other lines than those marked"; fi
  while read -r function; do
    grep -qF -- " in $function" "$1.txt" || fail "$2: no access is in $function"
  done < <(sed -nE 's|.*// SITE (.*): .*|\1|p' main.cpp other.cpp library.cpp gone.cpp)
  # The function was inlined there.
  while read -r file line; do
    grep -qE "\"file\":\"[^\"]*$file\",\"line\":$line,\"column\":[0-9]+,\"function\":\"main::" "$1.json" ||
      fail "$2: no call at $file:$line"
  done <calls
}

build whole
check whole "with all that there is"
build stripped -s
[[ -z $(nm stripped 2>/dev/null) ]] || fail "the program has its symbols"
check stripped "stripped"
build collected -ffunction-sections -fdata-sections -Wl,--gc-sections
check collected "without unused sections"

# It is the records that tell.
build without -s -mllvm -anyorder-no-sites
"$anyorder" check --json without.json -- ./without ./without.gone.so >/dev/null 2>&1 || true
[[ -z $(places without.json) ]] || fail "places are known without records"

# The loader has nothing to do, and the records of one copy of an inline function are dropped with it.
flags=$(readelf -SW whole | sed -nE 's/.* anyorder_sites_1 +PROGBITS( +[0-9a-f]+){4} +([A-Z]+) .*/\2/p')
[[ $flags == A ]] || fail "the section's flags are '$flags'"
bytes_in() {
  local sum=0 size
  while read -r size; do sum=$((sum + 16#$size)); done < \
    <(readelf -SW "$1" | sed -nE 's/.* anyorder_sites_1 +PROGBITS +[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) .*/\1/p')
  echo $sum
}
for file in main other; do "$anyorder" c++ -O2 -g -c $file.cpp -o $file.o; done
[[ $(bytes_in whole) -gt 0 && $(bytes_in whole) -lt $(($(bytes_in main.o) + $(bytes_in other.o))) ]] ||
  fail "$(bytes_in whole) bytes of records, of $(bytes_in main.o) and $(bytes_in other.o)"
exit $fails
