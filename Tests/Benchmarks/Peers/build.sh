#!/bin/sh
# Compiles a peer: build.sh PROGRAM SOURCE
set -eu
# On a Mac the manifest takes Lua from the folder of its formula, where pkg-config does not look.
if [ "$(uname -s)" = Darwin ]; then
  kept=$("$(dirname "$0")/../../../.ci/homebrew")/opt/lua@5.4/lib/pkgconfig
  export PKG_CONFIG_PATH="$kept${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
fi
# shellcheck disable=SC2046 # one word an option is what is wanted
cc -O2 -o "$1" "$2" $(pkg-config --cflags --libs sqlite3 lua5.4)
