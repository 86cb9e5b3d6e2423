#!/bin/sh
# Builds all commands for each system that is released, and vets all code and
# tests for each of its operating systems: make cross. CROSS names some of them.
set -eu
cd "$(dirname "$0")/.."
export CGO_ENABLED=0
for target in ${CROSS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
    export GOOS="${target%/*}" GOARCH="${target#*/}"
    echo "cross: $target"
    go build -o /dev/null ./cmd/...
    if [ "$GOARCH" = amd64 ]; then go vet ./...; fi
done
