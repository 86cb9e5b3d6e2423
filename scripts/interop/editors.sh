#!/bin/sh
# A step of make interop: fmcp-validate lsp with the library that VS Code talks to
# language servers by, and in Neovim, where that is installed.
set -eu
PATH=$PWD/bin:$PATH
export FMCP_SETTINGS=none

source=$PWD/testdata/interop/editors
work=$PWD/bin/interop/editors
rm -rf "$work"
mkdir -p "$work"
cp -R testdata/catalog "$work/catalog"
node "$source/vscode.mjs" "$work/catalog"
if ! command -v nvim >/dev/null; then
    echo 'interop: skipped the language server in Neovim: nvim is missing'
    exit
fi
cd "$work/catalog"
nvim --headless --clean -n -i NONE -c "luafile $source/neovim.lua" -c 'cquit 1' 2>&1
