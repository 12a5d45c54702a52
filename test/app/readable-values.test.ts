import { Readable } from 'node:stream'
import { left, right } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import { readableReply } from '#src/api/http/readable-reply.ts'
import { stream, text } from '#src/api/http/route.ts'
import { readableJson, readableLines, readableValue } from '#src/app/readable-values.ts'
import { bareReference, type PersonalValue, personalText } from '#src/domain/kernel/personal.ts'

/* Q44: readers see values, and nothing that a value holds is obeyed. */

const ada = personalText('A'.repeat(22), 'a'.repeat(43), '')
const gone = personalText('B'.repeat(22), 'b'.repeat(43), '')
const other = personalText('C'.repeat(22), 'c'.repeat(43), '')
const value = 'Ada "A"\n\u001b[31m\u202e'
const values = new Map<string, PersonalValue>([
  [ada, { kind: 'value', text: value, salt: '' }],
  [gone, { kind: 'erased', at: '2026-11-30T17:00:00.000Z' }],
])
const personal = {
  find: () => async () => right(values),
  counts: () => async () => right({ kept: 1, erased: 1 }),
}

it('JSON stays JSON', async () => {
  const row = { by: ada, because: `${gone}: by ${ada}`, of: [other] }
  const shown = {
    by: value,
    because: `[erased on 2026-11-30]: by ${value}`,
    of: [`[personal value, not readable here: ${other}]`],
  }
  expect(JSON.parse(await readableJson(personal, JSON.stringify(row)))).toEqual(shown)
  expect(await readableValue(personal, row)).toEqual(shown)
  const [json, line] = (await readableLines(personal, `${JSON.stringify(row)}\nby ${ada}`)).split('\n')
  expect(JSON.parse(json!)).toEqual(shown)
  for (const char of ['\u001b', '\u202e']) expect(json).not.toContain(char)
  expect(line).toBe('by Ada "A"\\n\\u{1b}[31m\\u{202e}')
})

it('what was shown is not read again: a typed reference leads to nobody, however often', async () => {
  const typed = personalText('D'.repeat(22), 'd'.repeat(43), '')
  const more = new Map([...values, [typed, { kind: 'value', text: `as ${ada}`, salt: '' } as const]])
  const reading = { ...personal, find: () => async () => right(more) }
  const once = await readableValue(reading, { by: typed, of: other })
  expect(once.by).toBe(`as ${bareReference(ada)}`)
  expect(await readableValue(reading, once)).toEqual(once)
  expect(JSON.parse(await readableJson(reading, JSON.stringify(once)))).toEqual(once)
})

it('what has no reference is the same', async () => {
  const row = { a: 1n, b: null, c: new Date(0), d: [{ e: 'personal' }] }
  expect(await readableValue(personal, row)).toBe(row)
  expect(await readableJson(personal, '{"a": "personal:x"}')).toBe('{"a": "personal:x"}')
})

it('where values cannot be read, the rest of an answer is given', async () => {
  const away = { find: () => async () => left({ kind: 'Unavailable', reason: 'it is away' } as const) }
  expect(await readableLines(away, `by ${ada}`)).toBe(`by [personal value, not readable here: ${ada}]`)
})

it('server-sent events have values; proofs, XML and HTML have references', async () => {
  const sent = stream(
    Readable.from([`data: {"by":"${gone}"}\n\n`, 'data: {}\n\n'], { objectMode: false }),
    'text/event-stream',
  )
  const shown = await readableReply(sent, '/api/v1/events', personal)
  const body = (shown as { right: { body: Readable } }).right.body
  expect(await body.toArray().then((pieces) => Buffer.concat(pieces).toString())).toBe(
    'data: {"by":"[erased on 2026-11-30]"}\n\ndata: {}\n\n',
  )
  const proof = text(`{"by":"${ada}"}`, 'application/json')
  for (const path of ['/api/v1/proof/event', '/proof/checkpoint'])
    expect(await readableReply(proof, path, personal)).toBe(proof)
  expect(await readableReply(proof, '/api/v1/proofs', personal)).not.toEqual(proof)
  const html = text(`<p>${ada}</p>`, 'text/html')
  expect(await readableReply(html, '/api/v1/report', personal)).toBe(html)
})
