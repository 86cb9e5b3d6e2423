#!/bin/sh
# What make install and make uninstall do, and what packages hold:
#
#   scripts/install.sh share BIN DIR        write completions, man pages and documents, as below PREFIX/share
#   scripts/install.sh install BIN PREFIX   put all that below PREFIX, and the commands
#   scripts/install.sh uninstall PREFIX     remove it again
#
# $DESTDIR goes before PREFIX, for who builds a package.
set -eu
commands='fmcp-scan fmcp-load fmcp-validate fmcp-resolve fmcp-exec fmcp-grade fmcp-serve'
here=$(dirname "$0")/..
umask 022

share() {
    mkdir -p "$2/bash-completion/completions" "$2/zsh/site-functions" "$2/fish/vendor_completions.d" "$2/doc/fmcp"
    for c in $commands; do
        "$1/$c" --completion bash >"$2/bash-completion/completions/$c"
        "$1/$c" --completion zsh >"$2/zsh/site-functions/_$c"
        "$1/$c" --completion fish >"$2/fish/vendor_completions.d/$c.fish"
        "$1/$c" --man "$2/man/man1"
    done
    cp "$here/LICENSE" "$here/THIRD_PARTY_NOTICES" "$2/doc/fmcp/"
    cp -R "$here/types" "$here/scripts/deploy" "$2/doc/fmcp/"
}

case ${1-} in
share)
    share "$2" "$3"
    ;;
install)
    to=${DESTDIR-}$3
    mkdir -p "$to/bin"
    for c in $commands; do
        cp "$2/$c" "$to/bin/$c.new"
        chmod 755 "$to/bin/$c.new"
        mv "$to/bin/$c.new" "$to/bin/$c" # a command that runs keeps its old file
    done
    share "$2" "$to/share"
    ;;
uninstall)
    from=${DESTDIR-}$2
    for c in $commands; do
        rm -f "$from/bin/$c" "$from/share/bash-completion/completions/$c" "$from/share/zsh/site-functions/_$c" \
            "$from/share/fish/vendor_completions.d/$c.fish" "$from/share/man/man1/$c.1" "$from/share/man/man1/$c"-*.1
    done
    rm -rf "$from/share/doc/fmcp"
    ;;
*)
    echo "usage: $0 share BIN DIR | install BIN PREFIX | uninstall PREFIX" >&2
    exit 2
    ;;
esac
