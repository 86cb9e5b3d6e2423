#!/bin/sh
# Imports OpenAPI documents, and compares the requests of the schemas with those that
# swagger-client, fetched from the npm registry, builds for the same values:
# scripts/interop/openapi.sh DOCUMENT... with the commands in bin/. Without a
# document the one of the tests is taken.
set -eu
cd "$(dirname "$0")/../.."
PATH=$PWD/bin:$PATH
export PATH
unset FORCE_COLOR || :

work=$PWD/bin/interop/openapi
PACKAGES=$work
export PACKAGES
if ! command -v npm >/dev/null || ! command -v jq >/dev/null; then
    echo 'interop: skipped requests of OpenAPI documents: npm or jq is missing'
    exit
fi
mkdir -p "$work"
[ -d "$work/node_modules/swagger-client" ] ||
    npm install --ignore-scripts --no-audit --no-fund --loglevel error --prefix "$work" swagger-client@3.39.0
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
