#!/usr/bin/env bash
# Package:  @wasm-audio-decoders/flac 0.2.11 with codec-parser 2.5.0 (npm), Node 20 and 24
# Guess:    one wrong byte costs the frame that it is in, or two: each frame has a checksum, and libFLAC, which this is,
#           goes on with the next (of the same file `flac -d -F` 1.4.2 silences two frames, ffmpeg 5.1.9 none)
# Seen:     half a megabyte is gone, 64 frames of 16 bits here: the parser looks for the end of the bad frame in the next
#           512 KiB, and drops all of them when no checksum fits. `errors` has one entry, which does not say how much: whatever
#           follows is 6 s early.
# Seen too: frames given one by one to `decodeFrames` cost the one frame. So it is worth finding them oneself.
# Run:      findings/wasm-flac-one-byte.sh (installs the package in a temporary folder; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact @wasm-audio-decoders/flac@0.2.11 >/dev/null
cat >try.mjs <<'JS'
import { FLACDecoder } from '@wasm-audio-decoders/flac'

const crc = (bytes, polynomial, width) => {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (width - 8)
    for (let bit = 0; bit < 8; bit++)
      sum = (sum & (1 << (width - 1)) ? (sum << 1) ^ polynomial : sum << 1) & (2 ** width - 1)
  }
  return sum
}
// 4096 samples of 16 bits as they are, one channel, 44.1 kHz.
const frame = (n) => {
  const head = [0xff, 0xf8, 0xc9, 0x08, n]
  const samples = Array.from({ length: 8192 }, (_, i) => (i * 7919 + n * 104729) & 0x7f)
  const bytes = [...head, crc(head, 0x07, 8), 0x02, ...samples]
  const sum = crc(bytes, 0x8005, 16)
  return Buffer.from([...bytes, sum >> 8, sum & 255])
}
const frames = Array.from({ length: 120 }, (_, n) => frame(n))
const head = Buffer.alloc(42)
head.write('fLaC')
head.writeUInt32BE(0x8000_0022, 4)
head.writeUInt32BE(0x1000_1000, 8)
head.writeUInt32BE(0x0ac4_40f0, 18)
head.writeUInt32BE(120 * 4096, 22)
frames[20][4000] ^= 0xff

console.error = () => {}
const whole = new FLACDecoder()
await whole.ready
const file = await whole.decodeFile(Buffer.concat([head, ...frames]))
const single = new FLACDecoder()
await single.ready
let samples = 0
for (const one of frames) samples += (await single.decodeFrames([one])).samplesDecoded
console.log(JSON.stringify({ lost: 120 * 4096 - file.samplesDecoded, errors: file.errors.length, lostSingly: 120 * 4096 - samples }))
JS
seen=$(node try.mjs)
echo "$seen"
expected='{"lost":262144,"errors":1,"lostSingly":4096}'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
