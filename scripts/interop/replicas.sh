#!/bin/sh
# Three servers behind the balancer of scripts/deploy, while one is killed, one is stopped
# and the catalog changes; scripts/interop.sh starts this.
set -eu

if ! command -v haproxy >/dev/null; then
    echo 'interop: skipped servers behind a balancer: haproxy is missing'
    exit
fi
CGO_ENABLED=0 go build -trimpath -o bin/interop/replicas ./scripts/interop/replicas
bin/interop/replicas
