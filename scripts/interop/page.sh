#!/bin/sh
# A step of make interop: the pages of a catalog and of grades (-f html) in Chromium.
# scripts/interop.sh has fetched playwright-core, which drives it.
set -eu
PATH=$PWD/bin:$PATH
export FMCP_SETTINGS=none

work=$PWD/bin/interop/page
browser=''
for one in chromium chromium-browser google-chrome; do
    browser=$(command -v "$one") && break
done
if [ -z "$browser" ]; then
    echo 'interop: skipped the pages of catalogs and grades: chromium is missing'
    exit
fi
mkdir -p "$work"
# 2,000 tools, as generated schemas have four each.
CGO_ENABLED=0 go run ./scripts/gencatalog -n 490 -agents 10 "$work/large"
fmcp-resolve -f html "$work/large" >"$work/large.html"
fmcp-resolve -f html testdata/catalog >"$work/tides.html"
fmcp-resolve -f html testdata/interop/page/hostile.ndjson >"$work/hostile.html"
node testdata/interop/page/page.mjs "$browser" "$work"

link='https://code.example/blob/1/{path}#L{line}'
node testdata/interop/page/many.mjs 10000 >"$work/many.ndjson"
head -n 80 "$work/many.ndjson" >"$work/some.ndjson"
fmcp-grade --allow-empty -f html </dev/null >"$work/grades-none.html"
fmcp-grade -f html "$work/many.ndjson" >"$work/grades-large.html"
fmcp-grade -f html --link "$link" -o badge="$work/badge.svg" "$work/some.ndjson" >"$work/grades.html"
fmcp-grade -f html --link "$link" -o badge="$work/badge-hostile.svg" testdata/interop/page/hostile-grades.ndjson \
    >"$work/grades-hostile.html"
node testdata/interop/page/grades.mjs "$browser" "$work"
