#!/bin/sh
# The steps of the demo; scripts/demo.sh starts them. Each prints what to look
# for, its command and the command's output, and must end as expected.
set -eu
PATH=$PWD/bin:$PATH
# The demo must not depend on what the user has set.
unset PARCELBIRD_TOKEN FORCE_COLOR || :

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR-}" ]; then
    bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi
out=bin/demo/out
secret=demo-token-4711
count=0

fail() {
    printf '\ndemo: step %s: %s\n' "$count" "$1" >&2
    exit 1
}

# step SEE COMMAND STATUS TEXT...: the command must exit with the status and
# print every text, and never the secret. Long output is cut for reading, and
# says so.
step() {
    count=$((count + 1))
    printf '\n%s# %s%s\n%s$ %s%s\n' "$dim" "$1" "$plain" "$bold" "$2" "$plain"
    status=0
    eval "$2" >"$out" 2>&1 || status=$?
    head -n 24 "$out" | sed 's/^\(.\{200\}\).\{2,\}$/\1 …/'
    lines=$(wc -l <"$out")
    [ "$lines" -le 24 ] || printf '%s… %s more lines%s\n' "$dim" "$((lines - 24))" "$plain"
    [ "$status" -eq "$3" ] || fail "exit status $status, expected $3"
    shift 3
    for text; do
        grep -qF -e "$text" "$out" || { cat "$out" >&2; fail "the output lacks: $text"; }
    done
    ! grep -qF -e "$secret" "$out" || fail 'the output holds the token'
}

# The schemas call the port that the upstream has in this run, and say their
# new hash.
cp -R testdata/catalog bin/demo/catalog
for schema in $(grep -rl localhost:18443 testdata/catalog); do
    copy=bin/demo/${schema#testdata/}
    sed "s/localhost:18443/$UPSTREAM/" "$schema" >"$copy"
    hash=$(fmcp-validate -f text "$copy" | sed -n 's/.*but the hash of main is "\(.*\)"$/\1/p')
    sed "s/localhost:18443/$UPSTREAM/; s/schemaHash: '.*'/schemaHash: '$hash'/" "$schema" >"$copy"
done

echo "PARCELBIRD_TOKEN=$secret" >bin/demo/keys.env

printf '%s\n' "Everything below runs in $(basename "$PWD")/ with bin/ on PATH. Lines that are too long are cut (…)."

step 'Seven commands, one stream. fmcp-scan says what is there: one JSON object a line.' \
    'fmcp-scan bin/demo/catalog' 0 '"type":"registry"' '"type":"list"' '"type":"schema","namespace":"parcelbird"' '"namespace":"tidewatch"'

step 'The pipeline builds a catalog: scan, load, keep what has no error, resolve.' \
    'fmcp-scan bin/demo/catalog | fmcp-load | fmcp-validate --pass | fmcp-resolve --require-end > bin/demo/catalog.ndjson' 0

step 'It is one self-contained file: a catalog record, then lists and tools, ready to call or serve.' \
    'cut -c 1-100 bin/demo/catalog.ndjson' 0 '"id":"catalog"' '"id":"shared/list/seaAreas"' '"id":"parcelbird/tool/bookShipment"' '"id":"tidewatch/tool/getTides"'

step 'Where is a tool defined?' \
    'fmcp-resolve id tidewatch/tool/getTides bin/demo/catalog' 0 '"file":"bin/demo/catalog/providers/tidewatch/stations.mjs"' '"keyPath":"main.tools.getTides"'

step 'Who uses a shared list?' \
    'fmcp-resolve refs seaAreas bin/demo/catalog -f text' 0 'stations.mjs::listStations'

step 'What would a call send? --dry-run shows it and sends nothing. The token is read from a file and never shown.' \
    "fmcp-exec -c bin/demo/catalog.ndjson --env-file bin/demo/keys.env --dry-run -f text \\
    parcelbird/tool/bookShipment depot=hamburg service=express weightKg=2.5 'to={\"name\":\"Ada\",\"city\":\"Kiel\"}' 'tag=[\"gift\",\"fragile\"]'" \
    0 'dry run' 'account=[REDACTED:PARCELBIRD_TOKEN]&tag=gift' 'Authorization: Bearer [REDACTED:PARCELBIRD_TOKEN]' '"weightKg": 2.5'

step 'A resource may be a document: read all of it, a section, lines, or what is searched. Its file lies beside the schema.' \
    "fmcp-exec -c bin/demo/catalog.ndjson --root bin/demo/catalog -f text tidewatch/resource/handbook section='## Spring tide'" \
    0 'At new and full moon high water is higher'

step 'A resource may be a database, asked by queries of the schema. Nothing of it can be changed.' \
    "fmcp-exec -c bin/demo/catalog.ndjson --root bin/demo/catalog -f text tidewatch/resource/harbours query=search words=shelter limit=1" \
    0 'tidewatch/resource/harbours/search ok' 'harbours_fts MATCH ?' '"notes": "ferries, fuel, shelter from the west"'

step 'Or by a statement of your own: it gets a LIMIT, and whatever it tries, the file stays as it is.' \
    "fmcp-exec -c bin/demo/catalog.ndjson --root bin/demo/catalog tidewatch/resource/harbours query=runSql sql='DELETE FROM harbours'" \
    1 EXE072 'write one that begins with SELECT'

step 'The tests of queries need no network.' \
    "fmcp-exec test -c bin/demo/catalog.ndjson --root bin/demo/catalog 'tidewatch/resource/harbours/*' -f text" \
    0 'passed  tidewatch/resource/harbours/byArea 0 All harbours of the Humber' '6 tests: 6 passed'

step 'A schema may call public hosts only. This one is on this machine, so the call is refused.' \
    'fmcp-exec -c bin/demo/catalog.ndjson -f text tidewatch/tool/getTides station=cuxhaven' \
    1 EXE031 "add --allow-host $UPSTREAM"

step 'The user may allow it, and trust its certificate. The demo keeps these flags in a variable.' \
    "net='--allow-host $UPSTREAM --ca-file bin/demo/ca.pem --env-file bin/demo/keys.env'" 0

step 'A real call over TLS. station goes into the path, datum is fixed by the schema.' \
    'fmcp-exec -c bin/demo/catalog.ndjson $net -f text tidewatch/tool/getTides station=cuxhaven days=1' \
    0 'getTides ok' 'stations/cuxhaven/tides?days=1&datum=chart' '"time": "2026-06-01T03:20:00Z"'

step 'A call with a value of every kind: path, query, body, fixed, and the token. The answer is an envelope.' \
    "fmcp-exec -c bin/demo/catalog.ndjson \$net parcelbird/tool/bookShipment \\
    --params '{\"depot\":\"hamburg\",\"service\":\"express\",\"weightKg\":2.5,\"to\":{\"name\":\"Ada\",\"city\":\"Kiel\"}}'" \
    0 '"status":true' '"data":{"number":"PB0000016001","service":"express","priceCents":1600}'

step 'A schema may have handlers. They run in a sandbox, in a process of their own. This one maps a name to the number that the provider wants.' \
    'fmcp-exec -c bin/demo/catalog.ndjson $net -f text harbourlog/tool/getWarnings area=german-bight' \
    0 "GET https://$UPSTREAM/v3/warnings?area=11" 'Buoy Elbe 3 is unlit'

step 'This one fetches all pages of a list: the requests are made by fmcp-exec, under its network policy.' \
    'fmcp-exec -c bin/demo/catalog.ndjson $net harbourlog/tool/listArrivals harbour=emden limit=5' \
    0 '"ship":"Anna Bakker"' '"ship":"Ems Trader"'

step 'And this one makes a flat list of a nested answer.' \
    'fmcp-exec -c bin/demo/catalog.ndjson $net harbourlog/tool/getBerths harbour=emden' \
    0 '{"quay":"Nordkai","berth":2,"ship":null},{"quay":"Südkai","berth":1,"ship":"Otter"}'

cat >bin/demo/requests.ndjson <<'END'
{"v":1,"kind":"request","id":"tidewatch/tool/listStations","params":{"area":"humber"},"tag":"a"}
{"v":1,"kind":"request","id":"parcelbird/tool/trackShipment","params":{"number":"PB0000016001"},"tag":"b"}
{"v":1,"kind":"request","id":"tidewatch/tool/listStations","params":{"area":"humbr"},"tag":"c"}
END
step 'Many calls: requests in, envelopes out, in order, eight at a time. The third is wrong, so the exit status is 1.' \
    'fmcp-exec -c bin/demo/catalog.ndjson $net -j 8 < bin/demo/requests.ndjson' \
    1 '"tag":"a","status":true' '"tag":"b","status":true' '"state":"on its way"' '"tag":"c","status":false' 'did you mean \"humber\"?'

rm -rf bin/demo/tape
step 'The tests that the schemas have in them are run, and their answers recorded, without the token.' \
    'fmcp-exec test -c bin/demo/catalog.ndjson --root bin/demo/catalog $net --delay 0s --record bin/demo/tape -f text' \
    0 'passed  parcelbird/tool/trackShipment 0' 'passed  tidewatch/tool/getTides 2' '40 tests: 37 passed, 3 checked'

step 'They are replayed: without the network, and without the token.' \
    'PARCELBIRD_TOKEN= fmcp-exec test -c bin/demo/catalog.ndjson --root bin/demo/catalog --replay bin/demo/tape -f text' \
    0 '40 tests: 37 passed, 3 checked'

step 'A selection is what belongs together. It is tested by its members: tools, queries, skills, prompts.' \
    'fmcp-exec test -c bin/demo/catalog.ndjson --root bin/demo/catalog $net --delay 0s -f text harbour-desk/selection/arrivals | tail -n 24' \
    0 'SEL003: all member IDs resolvable' 'Prefill executed (2 Tools)' 'Selection Aggregate: 6/6 Members PASS'

step 'A skill is a workflow for a model. Before it is delivered, its calls are made; what they answer stands in its text.' \
    'fmcp-exec -c bin/demo/catalog.ndjson --root bin/demo/catalog $net -f text tidewatch/skill/passage-check station=cuxhaven area=humber minDepth=9' \
    0 '"time":"2026-06-01T03:20:00Z"' 'Cold Anchor Basin' 'german-bight, dogger, humber' '| station | string; 2 to 40 characters | Yes |'

step 'One of a selection. What an API answers is text, whatever it looks like: nothing of it is expanded.' \
    'fmcp-exec -c bin/demo/catalog.ndjson --root bin/demo/catalog $net -f text harbour-desk/skill/berth-plan harbour=emden' \
    0 'Ems Trader' '"quay":"Nordkai"'

step 'A prompt of an agent. The one that it refers to comes beside it.' \
    'fmcp-exec -c bin/demo/catalog.ndjson -f text harbour-master/prompt/daily-brief harbour=emden area=german-bight' \
    0 'Write the morning brief of emden' 'tidewatch/prompt/about: How gauges, tides and harbours are found'

step 'An agent is got ready in the sixteen steps of chapter 06.' \
    'fmcp-serve doctor bin/demo/catalog.ndjson --root bin/demo/catalog $net --agent harbour-master -f text' \
    0 'Verify hashes       all hashes valid' 'harbour-desk/skill/berth-plan' 'Agent "harbour-master" is ready'

step 'Its hash says whether the tools are still those that it was written for.' \
    'fmcp-resolve agent verify harbour-master bin/demo/catalog -f text' 0 'Agent "harbour-master": 3 tools, all hashes valid'

step 'Who uses what?' \
    'fmcp-resolve graph bin/demo/catalog --agent harbour-master -f text' 0 'agent harbour-master/agent/harbour-master' 'uses harbour-desk/selection/arrivals' 'skill harbour-desk/skill/berth-plan'

step 'A bundle with a SKILL.md is documents: fmcp-resolve writes it for those who take no other fields than the standard ones.' \
    'fmcp-exec describe -c bin/demo/catalog.ndjson tide-report/skillmd/tide-report -f text' 0 'resource://skills/tide-report/document' 'resource://skills/tide-report/references/datum'

step 'Timetables of public transport are published as GTFS feeds. This one is checked, and becomes a database with a seal.' \
    'fmcp-exec resource import-gtfs bin/demo/ostermoor.zip bin/demo/resources/gtfs-ostermoor.db -f text' \
    0 'is sealed' 'capabilities: basicLookup, routing, departures'

step 'A schema names the database, and has the standard tools. Case and accents do not matter to a search.' \
    'FLOWMCP_RESOURCES=$PWD/bin/demo/resources fmcp-exec -c bin/demo/catalog.ndjson ostermoor/resource/timetable query=searchStops text=MULLER' \
    0 '"name":"Müllerplatz"'

step 'Ten past midnight belongs to the day before. A station stands for its platforms.' \
    'FLOWMCP_RESOURCES=$PWD/bin/demo/resources fmcp-exec -c bin/demo/catalog.ndjson -f text ostermoor/resource/timetable query=getDepartures stop=hbf date=2026-05-12 time=00:00' \
    0 '"departure": "2026-05-12T00:10:00+02:00"' '"route": "N9"' '"serviceDate": "2026-05-11"'

step 'A grade needs scores. Without them the report says what is missing.' \
    'fmcp-grade -f text bin/demo/catalog' 0 '5 no grade' 'parcelbird/shipments' 'tidewatch/stations' 'no score was given'

sed "s|/stations/{{station}}/tides|/stations/{{staton}}/tides|" \
    bin/demo/catalog/providers/tidewatch/stations.mjs >bin/demo/stations.mjs
step 'A schema with a typing error in a path: where, what, why, and how to mend it.' \
    'fmcp-validate -f text bin/demo/stations.mjs' 1 VAL050 'did you mean {{station}} where the path says {{staton}}?' CMP006

step 'Every code can be explained.' \
    'fmcp-validate --explain VAL050 | head -n 9' 0 'insert-placeholder' 'Why:' 'Fix:'

cat >bin/demo/session.ndjson <<'END'
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"demo","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_tides_tidewatch","arguments":{"station":"cuxhaven","days":1}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"get_warnings_harbourlog","arguments":{"area":"dogger"}}}
{"jsonrpc":"2.0","id":5,"method":"resources/read","params":{"uri":"flowmcp://tidewatch/resource/harbours/byArea?area=humber&minDepth=10"}}
{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_departures_timetable_ostermoor","arguments":{"stop":"hbf","date":"2026-05-11","time":"12:00","limit":1}}}
END
step 'What an MCP client says to a server: initialize, tools/list, tools/call, resources/read.' \
    'cat bin/demo/session.ndjson' 0 tools/call

step 'And what fmcp-serve answers. This is the command that a client is configured with.' \
    'FLOWMCP_RESOURCES=$PWD/bin/demo/resources fmcp-serve $net --root bin/demo/catalog bin/demo/catalog.ndjson < bin/demo/session.ndjson' \
    0 '"id":1,"result":{"protocolVersion":' '"name":"book_shipment_parcelbird"' '"flowmcp/id":"tidewatch/tool/getTides"' '"id":3,"result":{"content":' '\"time\":\"2026-06-01T03:20:00Z\"' '"id":4,"result":{"content":' 'Survey ship towing a cable' '"id":5,"result":{"contents":' 'Cold Anchor Basin' '\"headsign\":\"Deichweg\"'

printf '\n%s\n' "$count steps, all as expected. The catalog is bin/demo/catalog.ndjson."
