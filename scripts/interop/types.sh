#!/bin/sh
# A step of make interop: types/flowmcp.d.ts in TypeScript, which scripts/interop.sh has
# fetched.
set -eu
PATH=$PWD/bin:$PATH
export FMCP_SETTINGS=none

mkdir -p bin/interop/types
exec node testdata/interop/types/types.mjs bin/interop/types
