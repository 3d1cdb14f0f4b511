#!/bin/sh
# Compiles a peer: build.sh PROGRAM SOURCE
set -eu
# Homebrew keeps a library of an older version where pkg-config does not look.
kept=$(brew --prefix lua@5.4 2>/dev/null || true)/lib/pkgconfig
export PKG_CONFIG_PATH="$kept${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
# shellcheck disable=SC2046 # one word an option is what is wanted
cc -O2 -o "$1" "$2" $(pkg-config --cflags --libs sqlite3 lua5.4)
