#!/bin/bash
# Approved reports: text, JSON and SARIF of the cases in tests/remedies/, and what a terminal shows of two of them.
#
#   golden.sh check <anyorder> <folder>     compares what the command writes now; works in the folder
#   golden.sh approve <anyorder> <folder>   takes it over; look at the difference before you commit it
set -euo pipefail

if [[ $# -ne 3 || ($1 != check && $1 != approve) ]]; then
  echo "usage: golden.sh check|approve <anyorder> <folder>" >&2
  exit 64
fi
mode=$1
anyorder=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
approved=$root/tests/golden/approved
mkdir -p "$3/now"
cd "$3"

cases=(parent_goes_on two_writers loop_then_use two_loops no_get get_too_late no_get_by_sibling no_get_of_a_loop
  pipeline one_of_many diamond child_of_future loop_of_future grandchild nested_finish_of_another recursion counter
  two_counters append neighbours)
terminals=(no_get append)

# What changes from run to run and from machine to machine, and what is in the library's headers. The JSON has every
# racy location: two of them are enough here.
normalized() {
  sed -E -e "s|$PWD|<folder>|g" -e "s|$root/|<root>/|g" -e 's|"(file:/)?[^"]*/include/anyorder/[^"]*"|"<anyorder>"|g' \
    -e 's/0x[0-9a-f]+/<address>/g' -e 's/[0-9.]+ s, peak [0-9.]+ [KMG]iB/<time>, peak <memory>/' \
    -e 's/[0-9]+ reads? and [0-9]+ writes?/<accesses>/' -e 's/"(reads|writes|atomics|seconds|peak_bytes)":[0-9.e-]+/"\1":0/g' \
    -e 's/"<anyorder>","line":[0-9]+(,"column":[0-9]+)?/"<anyorder>"/g' \
    -e 's|/[^ "]*/anyorder/[a-z_/]*\.hpp:[0-9]+|<anyorder>|g' \
    -e 's/\r$//'
}
# In SARIF a file's line and column follow on lines of their own.
without_lines_of_headers() {
  awk '/"uri":/ { ours = /<anyorder>/ } ours { gsub(/"(startLine|startColumn)": [0-9]+/, "\"line\": 0") } { print }'
}
first_races() { awk '/^    \{"kind":"(write|read)-/ { if (++count > 2) next } { print }'; }

# A path of its own, which is shown relative to here: lines are broken alike everywhere.
cp "$root/tests/remedies/cases.cpp" .
ANYORDER_CXX=g++ "$anyorder" c++ -O1 -g cases.cpp -o cases
rm -f now/*
for name in "${cases[@]}"; do
  status=0
  "$anyorder" check --detector graph --json report.json --sarif report.sarif -- ./cases "$name" racy \
    >/dev/null 2>report.txt || status=$?
  [[ $status -eq 66 ]] || { echo "$name: the check ended with $status" >&2 && exit 1; }
  normalized <report.txt >"now/$name.txt"
  first_races <report.json | normalized >"now/$name.json"
  normalized <report.sarif | without_lines_of_headers >"now/$name.sarif"
done
for name in "${terminals[@]}"; do
  TERM=xterm NO_COLOR='' script -qec "stty cols 80; '$anyorder' check --detector graph -- ./cases $name racy" /dev/null \
    </dev/null | normalized >"now/$name.terminal" || true
done

if [[ $mode == approve ]]; then
  rm -f "$approved"/*
  cp now/* "$approved"
  echo "approved: $(find "$approved" -type f | wc -l) files"
elif ! diff -r -u "$approved" now; then
  echo "Reports are not as approved. If they are right: tests/golden/golden.sh approve <anyorder> <folder>" >&2
  exit 1
fi
