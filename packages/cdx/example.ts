import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Capture, captureLine, formatLine, surt } from '@fonds/cdx'
import { decodeCdxRequest } from '@fonds/cdx/server'
import { openIndex } from '@fonds/cdx/sorted-index'

const capture = (url: string, time: string, offset: number): Capture => ({
  url,
  time,
  mime: 'text/html',
  status: '200',
  digest: '3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ',
  redirect: '-',
  flags: '-',
  length: 1043,
  offset,
  file: 'a.warc.gz',
})

const folder = await mkdtemp(join(tmpdir(), 'cdx-'))
const index = openIndex(folder)
const captures = [
  capture('https://www.Example.org/b?y&x', '20260131120000', 333),
  capture('https://example.org/', '20260131120000', 1376),
  capture('https://example.org/', '20250131120000', 2419),
]
const run = await index.write(captures.map((one) => `${formatLine('cdx-11', one)}\n`))
await index.change([{ kind: 'publish', file: 'a.warc.gz', run, position: 1n }])
for await (const batch of index.scan({})) for (const line of batch) console.log(Buffer.from(line).toString())

console.log(surt('https://bücher.example:8080/a/../B'))

const request = decodeCdxRequest(
  new URLSearchParams('url=example.org/*&filter=!timestamp:2025.*&output=json&fl=url,timestamp'),
)
if (request._tag === 'Left') throw new Error(request.left.message)
const { query, output } = request.right
const found: string[] = []
for (const { from, to } of 'ranges' in query.keys ? query.keys.ranges : [])
  for await (const batch of index.scan({ from: Buffer.from(from), ...(to && { to: Buffer.from(to) }) }))
    for (const bytes of batch) {
      const line = captureLine(Buffer.from(bytes).toString())
      if (line && query.filters?.every((holds) => holds(line))) found.push(output.line(line))
    }
console.log(`${output.start}${output.heading}${found.join(output.separator)}${output.end(undefined, false)}`)

await index.close()
await rm(folder, { recursive: true })
