#!/bin/sh
# The file as it is, on the disk: what no migration that keeps the old store can go below.
# copy.sh SOURCE RESULT
set -eu
cp "$1" "$2"
sync "$2"
