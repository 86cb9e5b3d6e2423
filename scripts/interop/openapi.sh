#!/bin/sh
# Imports OpenAPI documents, and compares the requests of the schemas with those that
# swagger-client builds for the same values: scripts/interop/openapi.sh DOCUMENT...
# after make interop, which runs it for the document of the tests.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH
export PATH
unset FORCE_COLOR || :

work=$PWD/bin/interop/openapi
if ! command -v jq >/dev/null; then
    echo 'interop: skipped requests of OpenAPI documents: jq is missing'
    exit
fi
mkdir -p "$work"
[ $# -gt 0 ] || set -- pkg/openapi/testdata/harbours.yaml
for document; do
    rm -rf "$work/catalog"
    fmcp-load import "$document" --out "$work/catalog" -f text | tail -n 1
    fmcp-validate "$work/catalog" -f text --severity error
    fmcp-resolve "$work/catalog" >"$work/catalog.ndjson"
    jq -c 'select(.type == "tool") | .id as $id | (.data.tests // [])
        | to_entries[] | {v: 1, kind: "request", id: $id, params: (.value | del(._description)),
            tag: ($id + "#" + (.key | tostring))}' "$work/catalog.ndjson" |
        fmcp-exec -c "$work/catalog.ndjson" --dry-run >"$work/envelopes.ndjson"
    node scripts/interop/openapi.mjs "$document" "$work/catalog.ndjson" "$work/envelopes.ndjson"
done
