#!/bin/sh
# Builds the fuzz targets: build.sh OUTDIR [TARGET...]
#
# Each FuzzName.swift here becomes OUTDIR/FuzzName, a program of libFuzzer. It is compiled together
# with the sources it needs, because the package manager cannot link such programs. A target that
# needs more folders than Formats names them in its first lines:
#   // sources: Formats OperatingSystem SQLite CoreDataStore
# Folders compiled together are one module, so an import of one of them is taken out of the copy.
set -eu

[ $# -ge 1 ] || { echo "usage: build.sh OUTDIR [TARGET...]" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$here/../../Sources" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- $(cd "$here" && ls Fuzz*.swift | sed 's/\.swift$//')

# The system's libraries, by their module maps here. On Linux their headers and names come from
# pkg-config. A Mac's are in the SDK, and libFuzzer only in the toolchain of swift.org.
if [ "$(uname)" = Darwin ]; then
  runtime=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
  [ -e "$runtime/clang/lib/darwin/libclang_rt.fuzzer_osx.a" ] || {
    echo "fuzz: this toolchain has no libFuzzer; Xcode's never has." >&2
    echo "Install one of https://www.swift.org/install, then: TOOLCHAINS=swift make fuzz" >&2
    exit 1
  }
  flags="-I $sources/C/CZlib -I $sources/C/CSQLite"
else
  flags=-use-ld=lld
  for pair in CZlib=zlib CCrypto=libcrypto CExpat=expat CSQLite=sqlite3; do
    flags="$flags -I $sources/C/${pair%%=*}"
    for flag in $(pkg-config --cflags "${pair#*=}"); do flags="$flags -Xcc $flag"; done
    flags="$flags $(pkg-config --libs "${pair#*=}")"
  done
fi

# What is written in C, as the package manager would build it.
for name in SystemHost PageHost; do
  host="$out/$name"
  mkdir -p "$host"
  cp "$sources/C/$name"/include/*.h "$host"
  echo "module $name { header \"$name.h\" export * }" > "$host/module.modulemap"
  for file in "$sources/C/$name"/*.c; do
    clang -O -g -fsanitize=address,fuzzer-no-link -I "$host" -c "$file" \
      -o "$host/$(basename "$file" .c).o"
  done
  flags="$flags -I $host"
done

for target; do
  folders=$(sed -n 's|^// sources: *||p' "$here/$target.swift")
  copy="$out/$target.sources"
  rm -rf "$copy"
  for folder in ${folders:-Formats}; do
    mkdir -p "$copy/$folder"
    cp -R "$sources/$folder/." "$copy/$folder"
  done
  find "$copy" -name '*.swift' -exec sed -i.before -E \
    '/^(public |package |internal |private )?import (Formats|OperatingSystem|SQLite|CoreDataStore)$/d' {} +
  # Two files of one name may not be compiled together: their path becomes their name.
  (cd "$copy" && find . -name '*.swift' | while read -r file; do
    flat=$(echo "${file#./}" | tr / _)
    [ "./$flat" = "$file" ] || mv "$file" "$flat"
  done)
  cp "$here/$target.swift" "$copy"
  # shellcheck disable=SC2086
  swiftc -swift-version 6 -parse-as-library -O -g -sanitize=fuzzer,address \
    -package-name pipeline -enable-upcoming-feature ExistentialAny \
    -enable-upcoming-feature InternalImportsByDefault \
    -enable-upcoming-feature MemberImportVisibility \
    -module-name "$target" "$copy"/*.swift "$out"/*Host/*.o $flags -o "$out/$target"
  echo "$out/$target"
done
