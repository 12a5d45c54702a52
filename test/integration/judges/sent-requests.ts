import fc from 'fast-check'
import { httpResponse, sha1Of, warcRecord } from '../../../packages/warc/test/make-warc.ts'

/** A request that a browser or a script sent. */
export interface Sent {
  readonly method: string
  readonly mime: string | undefined
  readonly body: Buffer
  /** `Content-Length`, `chunked`, or neither. */
  readonly length: string | undefined
}

const text = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.constantFrom('a', 'b', 'A b', '1+1', 'x&y=z', '100%', '%41%2b', 'ü', '💩', '', '~*!()\'"'),
)
const number = fc.constantFrom(
  ...[
    '0',
    '-0',
    '1',
    '1.0',
    '1e5',
    '1E-7',
    '0.0001',
    '123456789012345680000',
    '1e16',
    '1.5e300',
    '1e999',
    '-1e999',
  ],
  ...['NaN', 'Infinity', '-Infinity', '-0.0', '9007199254740993', '3.14', '1e22', '5e-324'],
)
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(
      number,
      fc.constantFrom('true', 'false', 'null'),
      text.map((one) => JSON.stringify(one)),
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((all) => `[${all.join(' ,')}]`),
    fc
      .array(
        fc.tuple(fc.oneof(fc.constantFrom('a', 'b', '1', 'a.2_', '', '__proto__'), text), tie('value')),
        { maxLength: 4 },
      )
      .map((all) => `{${all.map(([name, value]) => `${JSON.stringify(name)}:\n${value}`).join(',')}}`),
  ),
})).value
const anyJson = fc.oneof(
  { weight: 6, arbitrary: json },
  {
    weight: 1,
    arbitrary: fc
      .array(
        json.map((one) => one.replaceAll('\n', '')),
        { minLength: 2, maxLength: 3 },
      )
      .map((all) => all.join('\n')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '{',
      '{"a":01}',
      '{"a":"\\ud800"}',
      '\ufeff{"a":1}',
      '{"a":1}\n',
      "{'a':1}",
      '"x"',
      '[1,2',
      '{"a" 1}',
      '{"a":"\t"}',
    ),
  },
)
const form = fc.oneof(
  fc.array(fc.tuple(text, text), { maxLength: 5 }).map((pairs) => new URLSearchParams(pairs).toString()),
  fc
    .array(fc.tuple(text, text), { maxLength: 3 })
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
  fc
    .tuple(fc.constantFrom('ü', 'x', '💩', '%20'), fc.nat(9000))
    .map(([one, times]) => `q=${one.repeat(times)}`),
)
const boundary = '----WebKitFormBoundaryAbC'
const part = fc
  .tuple(
    fc.constantFrom('a', 'b c', 'ü', 'q%22'),
    fc.option(fc.constantFrom('x.bin', 'y z.txt')),
    fc.oneof(
      text.map((one) => Buffer.from(one)),
      fc.uint8Array({ maxLength: 40 }).map((one) => Buffer.from(one)),
    ),
  )
  .map(([name, file, value]) =>
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"\r\nContent-Type: application/octet-stream`}\r\n\r\n`,
      ),
      // A field that is no UTF-8 ends cdxj-indexer with an error.
      file === null ? Buffer.from(value.toString()) : value,
      Buffer.from('\r\n'),
    ]),
  )
const multipart = fc
  .array(part, { minLength: 1, maxLength: 4 })
  .map((parts) => Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]))
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.from(one)),
  fc.nat(9000).map((size) => Buffer.alloc(size, 'fonds')),
)

const typed = <A>(mimes: readonly (string | undefined)[], bodies: fc.Arbitrary<A>) =>
  fc.tuple(
    fc.constantFrom(...mimes),
    bodies.map((body) => (Buffer.isBuffer(body) ? body : Buffer.from(String(body)))),
  )
const content = fc.oneof(
  typed(['application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=UTF-8'], form),
  typed(['application/x-www-form-urlencoded'], bytes),
  typed(
    ['application/json', 'application/json;charset=utf-8', 'text/plain', 'text/plain;charset=UTF-8'],
    anyJson,
  ),
  typed(['text/plain', undefined, '', 'application/octet-stream'], bytes),
  typed(['text/plain'], text),
  typed([`multipart/form-data; boundary=${boundary}`], multipart),
  typed(['multipart/form-data', 'application/octet-stream', 'image/png'], multipart),
)
export const sent: fc.Arbitrary<Sent> = fc
  .tuple(
    fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'),
    content,
    fc.constantFrom('right', 'right', 'right', 'chunked', 'none', 'short', 'bad'),
  )
  .map(([method, [mime, body], how]) => ({
    method,
    mime,
    body,
    // What is cut within its parts ends cdxj-indexer with an error, too.
    length:
      how === 'right' || mime?.includes('boundary')
        ? String(body.length)
        : { chunked: 'chunked', none: undefined, short: String(body.length >> 1), bad: 'x' }[how as 'none'],
  }))

const inChunks = (body: Buffer): Buffer =>
  Buffer.concat(
    [body.subarray(0, 7), body.subarray(7), Buffer.alloc(0)].flatMap((chunk, i) =>
      chunk.length > 0 || i === 2
        ? [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]
        : [],
    ),
  )

export const requestBlock = ({ method, mime, body, length }: Sent): Buffer => {
  const fields = [
    ...(mime === undefined ? [] : [`Content-Type: ${mime}`]),
    ...(length === 'chunked'
      ? ['Transfer-Encoding: chunked']
      : length === undefined
        ? []
        : [`Content-Length: ${length}`]),
  ]
  return Buffer.concat([
    Buffer.from(
      `${method} /x HTTP/1.1\r\nHost: a.example\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n`,
    ),
    length === 'chunked' ? inChunks(body) : body,
  ])
}

/** A request and its response, in either order; the second names the first, as cdxj-indexer wants it. */
export const pair = (
  one: Sent,
  i: number,
  url = `http://a.example/${i}${i % 3 === 0 ? '?y=1' : ''}`,
): readonly Buffer[] => {
  const id = (kind: string) => `<urn:uuid:${kind}-${i}>`
  const [first, second] = i % 2 === 0 ? ['request', 'response'] : ['response', 'request']
  const answer = `answer ${i}`
  const record = (type: string, concurrentTo?: string) =>
    warcRecord({
      type,
      url,
      contentType: `application/http; msgtype=${type}`,
      block: type === 'request' ? requestBlock(one) : httpResponse({ body: answer }),
      fields: {
        'WARC-Record-ID': id(type),
        // With -p, cdxj-indexer makes none of what it has read already.
        ...(type === 'response' && { 'WARC-Payload-Digest': `sha1:${sha1Of(answer)}` }),
        ...(concurrentTo && { 'WARC-Concurrent-To': id(concurrentTo) }),
      },
    })
  return [record(first ?? ''), record(second ?? '', first)]
}
