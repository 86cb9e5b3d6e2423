#!/bin/sh
# Runs every fuzz target, one after the other, for FUZZTIME each: a duration, or
# a number of inputs as in 1000x. Go 1.26 now and then fails with "context
# deadline exceeded" when a duration ends (golang/go#75804); that is no finding.
set -eu
cd "$(dirname "$0")/.."
: "${FUZZTIME:=60s}"

# "./pkg/ordjson FuzzParse", one a line.
targets=$(grep -rn --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' cmd pkg internal scripts 2>/dev/null |
    sed 's|^\(.*\)/[^/]*:[0-9]*:func \(.*\)|./\1 \2|' | sort)
[ -n "$targets" ] || { echo 'fuzz: no targets were found' >&2; exit 1; }

echo "$targets" | while read -r package target; do
    echo "== $package $target"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" "$package" </dev/null
done
