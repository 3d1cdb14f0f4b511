#!/bin/sh
# Compiles a peer: build.sh PROGRAM SOURCE
set -eu
# shellcheck disable=SC2046 # one word an option is what is wanted
cc -O2 -o "$1" "$2" $(pkg-config --cflags --libs sqlite3 lua5.4)
