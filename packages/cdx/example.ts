import { type Capture, captureLine, compareLines, formatLine, surt } from '@fonds/cdx'
import { decodeCdxRequest } from '@fonds/cdx/server'

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

const index = [
  capture('https://www.Example.org/b?y&x', '20260131120000', 333),
  capture('https://example.org/', '20260131120000', 1376),
  capture('https://example.org/', '20250131120000', 2419),
]
  .map((one) => Buffer.from(formatLine('cdx-11', one)))
  .sort(compareLines)
for (const line of index) console.log(`${line}`)

console.log(surt('https://bücher.example:8080/a/../B'))

const request = decodeCdxRequest(
  new URLSearchParams('url=example.org/*&filter=!timestamp:2025.*&output=json&fl=url,timestamp'),
)
if (request._tag === 'Left') throw new Error(request.left.message)
const { query, output } = request.right
const [range] = 'ranges' in query.keys ? query.keys.ranges : []
const found = index
  .flatMap((line) => captureLine(line.toString()) ?? [])
  .filter(({ key }) => range && key >= range.from && (!range.to || key < range.to))
  .filter((line) => query.filters?.every((holds) => holds(line)))
  .map(output.line)
console.log(`${output.start}${output.heading}${found.join(output.separator)}${output.end(undefined, false)}`)
