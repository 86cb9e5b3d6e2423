#!/bin/sh
# Other implementations of MCP against fmcp-serve, the types in TypeScript, editors, the
# requests of OpenAPI documents, the page of a catalog in a browser, completion in zsh
# and fish, servers behind a balancer, and faults of a queue: make interop. The commands
# are in bin/ by now; this fetches the others from the npm registry, and starts the
# upstream, which runs the steps and ends with them. Without npm there are only the
# shells, the balancer and the queue.
set -eu
cd "$(dirname "$0")/.."

rm -rf bin/interop
mkdir -p bin/interop
sh scripts/interop/shells.sh
sh scripts/interop/replicas.sh
go test ./internal/script -short -run '^TestQueueFaults$' -v -queue 1200
if ! command -v npm >/dev/null; then
    echo 'interop: skipped the rest: npm is missing'
    exit
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel error --prefix testdata/interop
sh scripts/interop/types.sh
sh scripts/interop/editors.sh
sh scripts/interop/openapi.sh
sh scripts/interop/page.sh
CGO_ENABLED=0 go build -trimpath -o bin/interop/upstream ./scripts/demo/upstream
exec bin/interop/upstream -ca bin/interop/ca.pem -- sh scripts/interop/steps.sh
