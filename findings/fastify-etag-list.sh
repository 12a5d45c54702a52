#!/usr/bin/env bash
# Package:  @fastify/etag 6.2.0 with fastify 5.12.8, on Node 20 and 24
# Guess:    a request whose If-None-Match holds the current tag is answered 304, however the header spells it
# Seen:     304 only where the header is that one tag. 200 with the whole body where the tag is one of a list
#           ("a", "b"), and for `*`. RFC 9110 §13.1.2 defines both. A cache that keeps several variants sends lists.
# Seen too: a 404 gets a tag, and a request that sends it is answered 304. §13.2.1 has a server ignore the header
#           where the answer without it is no success: the client learns that what is missing has not changed.
# Run:      findings/fastify-etag-list.sh (installs the packages in a temporary folder; fails if the behaviour changes)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --save-exact fastify@5.12.8 @fastify/etag@6.2.0 >/dev/null
cat >try.mjs <<'JS'
import etag from '@fastify/etag'
import fastify from 'fastify'

const app = fastify()
await app.register(etag)
app.get('/', () => 'the same text')
app.get('/missing', (_, reply) => reply.code(404).send('no such thing'))

const ask = async (url, asked) => {
  const { statusCode, headers, body } = await app.inject({ url, headers: asked ? { 'if-none-match': asked } : {} })
  return { status: statusCode, tag: headers.etag, body }
}
const { tag } = await ask('/')
const missing = await ask('/missing')
const seen = {
  alone: (await ask('/', tag)).status,
  weak: (await ask('/', `W/${tag}`)).status,
  list: (await ask('/', `"another", ${tag}`)).status,
  star: (await ask('/', '*')).status,
  missing: missing.status,
  missingAgain: missing.tag === undefined ? 'no tag' : (await ask('/missing', missing.tag)).status,
}
console.log(JSON.stringify(seen))
JS
seen=$(node try.mjs)
echo "$seen"
expected='{"alone":304,"weak":304,"list":200,"star":200,"missing":404,"missingAgain":304}'
[ "$seen" = "$expected" ] || { echo "changed: expected $expected" >&2; exit 1; }
