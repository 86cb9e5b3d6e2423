#!/bin/sh
# Measures what docs/bench shows: ten runs of each benchmark, the baseline of a
# figure in the same run, and benchstat's tables of them. make bench has built
# bin/ before. FMCP_COMMUNITY names the folder of the community catalog, which
# is measured too where it is at hand; node must be on PATH.
#
#   BENCH=Pipeline make bench    measures one of Read, Pipeline, Size, Resolve, Merge, Memory, Grade, Start, Serve, Calls,
#                                Exec, Search, HandlerCall, PointLookup, Import, Queue; Faults tries those of a queue
set -eu
cd "$(dirname "$0")/.."

benchstat=golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
runs=${RUNS:-10}
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
mkdir -p docs/bench

# measure NAME PACKAGE BENCHTIME [FLAG...]
measure() {
	name=$1 package=$2 time=$3
	shift 3
	[ -z "${BENCH:-}" ] || [ "$BENCH" = "$name" ] || return 0
	echo "$name: $runs runs" >&2
	go test "$package" -run '^$' -bench "^Benchmark$name\$" -benchtime "$time" -count "$runs" -timeout 60m "$@" >"$raw" || {
		cat "$raw" >&2
		exit 1
	}
	file=docs/bench/$(echo "$name" | tr '[:upper:]' '[:lower:]').txt
	{
		go version
		echo "$runs runs on $(nproc) processors, $(date -u +%Y-%m-%d)"
		echo
		go run "$benchstat" "$raw" | sed "s|$raw|fmcp|"
	} >"$file"
	cat "$file"
}

measure Read ./pkg/module 1s
measure Pipeline ./scripts/bench 3x
measure Size ./scripts/bench 1x
measure Resolve ./scripts/bench 1x
measure Merge ./scripts/bench 1x
measure Memory ./scripts/bench 1x
measure Grade ./scripts/bench 1x
measure Start ./scripts/bench 1x
measure Serve ./scripts/bench 1x
measure Calls ./scripts/bench 1x
measure Exec ./scripts/bench 1x
measure Search ./scripts/bench 1x
measure HandlerCall ./pkg/exec 2000x
measure PointLookup ./pkg/resource 50000x
measure Import ./pkg/resource/gtfs 1x -stop-times 10000000
measure Queue ./scripts/bench 1x
if [ -z "${BENCH:-}" ] || [ "$BENCH" = Faults ]; then
	echo 'Faults: 24,000 requests' >&2
	go test ./internal/script -run '^TestQueueFaults$' -v -queue 24000 -timeout 30m >"$raw" || {
		cat "$raw" >&2
		exit 1
	}
	{
		go version
		echo "24,000 requests on $(nproc) processors, $(date -u +%Y-%m-%d)"
		echo
		sed -n 's/.*_test.go:[0-9]*: |/|/p' "$raw"
	} >docs/bench/faults.txt
	cat docs/bench/faults.txt
fi
