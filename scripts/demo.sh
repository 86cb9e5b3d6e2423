#!/bin/sh
# The main job, offline: make demo. The commands are in bin/ by now; this
# starts the demo's upstream, which runs the steps and ends with them.
set -eu
cd "$(dirname "$0")/.."

rm -rf bin/demo
mkdir -p bin/demo/resources
CGO_ENABLED=0 go build -trimpath -o bin/demo/upstream ./scripts/demo/upstream
go run ./scripts/gtfs bin/demo/ostermoor.zip
exec bin/demo/upstream -ca bin/demo/ca.pem -- sh scripts/demo/steps.sh
