# Completes words in zsh and fish, in the shells themselves; bash is in
# testdata/script/completion.txtar. The commands are in bin/ by now.
set -eu
PATH=$PWD/bin:$PATH
bin/fmcp-resolve testdata/catalog -f ndjson >bin/interop/complete.ndjson 2>/dev/null
cd bin/interop

# check SHELL WHAT WANT HAVE: compares.
check() {
    [ "$3" = "$4" ] || { printf 'interop: %s: %s: found\n%s\nexpected\n%s\n' "$1" "$2" "$4" "$3" >&2; exit 1; }
}

if command -v zsh >/dev/null; then
    check zsh 'lines as they are typed' "$(cat ../../testdata/interop/complete.zsh.txt)" \
        "$(zsh -f ../../scripts/interop/complete.zsh)"
    echo 'interop: zsh completes'
else
    echo 'interop: skipped completion in zsh: zsh is missing'
fi

if command -v fish >/dev/null; then
    candidates() {
        fish --no-config -c "fmcp-exec --completion fish | source; complete -C '$1'"
    }
    tab=$(printf '\t')
    check fish flag "--dry-run$tab" "$(candidates 'fmcp-exec --dry' | sed "s/$tab.*/$tab/")"
    check fish subcommand "handlers${tab}Create the handlers of schemas and list them, without calling any." \
        "$(candidates 'fmcp-exec hand')"
    check fish ID parcelbird/tool/bookShipment "$(candidates 'fmcp-exec -c complete.ndjson parcelbird/tool/b')"
    check fish parameter "weightKg=${tab}number" \
        "$(candidates 'fmcp-exec -c complete.ndjson parcelbird/tool/bookShipment w')"
    check fish value service=overnight \
        "$(candidates 'fmcp-exec -c complete.ndjson parcelbird/tool/bookShipment service=ov')"
    check fish file --catalog=complete.ndjson "$(candidates 'fmcp-exec --catalog=compl')"
    echo 'interop: fish completes'
else
    echo 'interop: skipped completion in fish: fish is missing'
fi
