# Types into an interactive zsh and prints the lines that it makes of that.
zmodload zsh/zpty
zpty shell "zsh -f -i"
say() { zpty -w -n shell "$1"; }
say 'PS1=; PROMPT_EOL_MARK=; autoload -Uz compinit; compinit -u -D; '
say 'eval "$(fmcp-exec --completion zsh)"; eval "$(fmcp-scan --completion zsh)"; echo rea""dy'$'\n'
zpty -r -m shell seen '*ready*'
i=0
for keys in 'fmcp-scan --wat\t' 'fmcp-exec hand\t' 'fmcp-exec -c complete.ndjson parcelb\ttool/b\t' \
    'fmcp-exec -c complete.ndjson parcelbird/tool/bookShipment ser\tov\t wei\t' 'fmcp-exec --catalog=compl\t' \
    'fmcp-scan --out\tndj\tcompl\t'; do
    i=$((i + 1))
    # Control-A, echo and Control-E show the line in place of running it.
    say "$(printf $keys)|"$'\x01'"echo \"$i "$'\x05'"\""$'\n'
    say 'echo do""ne'$i$'\n'
    zpty -r -m shell seen "*done$i*"
    print -r -- "$seen" | tr -d '\r' | grep "^$i fmcp"
done
zpty -d shell
