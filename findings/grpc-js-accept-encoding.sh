#!/usr/bin/env bash
# Package:  @grpc/grpc-js 1.14.7 (npm), Node 20 and 24
# Guess:    a client that asks for no compression sets grpc-accept-encoding to `identity` in a call's metadata, or turns
#           compression off by a channel option
# Seen:     the header says `identity,deflate,gzip` on every call, whatever the metadata says and with
#           grpc.default_compression_algorithm 0 too; there is no option for it. A server that compresses for those who
#           take it does so for each client of this library: a log read by many small messages pays gzip for each.
# Seen too: the metadata that the caller set is not refused and not merged: it is dropped in silence.
# Run:      findings/grpc-js-accept-encoding.sh (installs the package in a temporary folder; fails if that changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact @grpc/grpc-js@1.14.7 >/dev/null
cat >try.mjs <<'JS'
import { createServer } from 'node:http2'
import { Client, credentials, Metadata } from '@grpc/grpc-js'

const heard = []
const server = createServer()
server.on('stream', (stream, headers) => {
  heard.push(headers['grpc-accept-encoding'])
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
  stream.end(Buffer.alloc(5))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))

const call = (options, metadata) =>
  new Promise((resolve, reject) => {
    const client = new Client(`127.0.0.1:${server.address().port}`, credentials.createInsecure(), options)
    const bytes = (value) => value
    client.makeUnaryRequest('/a.Service/Call', bytes, bytes, Buffer.alloc(0), metadata, (error) => {
      client.close()
      if (error) reject(error)
      else resolve()
    })
  })
const identity = new Metadata()
identity.set('grpc-accept-encoding', 'identity')
await call({}, new Metadata())
await call({}, identity)
await call({ 'grpc.default_compression_algorithm': 0 }, identity)
server.close()
console.log(JSON.stringify(heard))
JS
seen=$(node try.mjs)
echo "$seen"
expected='["identity,deflate,gzip","identity,deflate,gzip","identity,deflate,gzip"]'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
