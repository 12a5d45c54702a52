import type { Either } from 'fp-ts/lib/Either.js'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { type EnvelopeRecord, readMessage } from '#src/domain/kernel/cloud-event.ts'
import type { InvalidMessage } from '#src/domain/kernel/invalid-message.ts'

/* A record in binary and in structured mode, and what tests change of them. */

export const example = contentTopic.messages[0].example
export const key = 'main/letters/1912/03.tif'
export const now = '2026-02-01T08:00:00.000Z'
export const headers = {
  ce_specversion: '1.0',
  ce_id: 'a-1',
  ce_source: '/scanner/7',
  ce_type: 'content.recorded',
  ce_time: '2026-01-31T13:00:00+01:00',
  ce_subject: 'box 12',
  ce_correlationid: 'delivery-9',
  ce_traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'content-type': 'application/json; charset=UTF-8',
}
export const attributes = { specversion: '1.0', id: 'a-1', source: '/scanner/7', type: 'content.recorded' }
export const binary: EnvelopeRecord = {
  log: 'log-1',
  topic: contentTopic.name,
  partition: 3,
  offset: 41n,
  key,
  headers,
  value: JSON.stringify(example),
  timestamp: now,
}
export const structured = (envelope: unknown): EnvelopeRecord => ({
  ...binary,
  headers: {},
  value: JSON.stringify(envelope),
})
export const withoutHeader = (...names: string[]): EnvelopeRecord => ({
  ...binary,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
})
export const utf8 = (text: string) => new TextEncoder().encode(text)
export const base64 = (text: string) => btoa(String.fromCharCode(...utf8(text)))

export const rightOf = <A>(result: Either<InvalidMessage, A>): A => {
  if (result._tag === 'Left') throw new Error(`unusable: ${JSON.stringify(result.left)}`)
  return result.right
}
export const leftOf = (result: Either<InvalidMessage, unknown>): InvalidMessage => {
  if (result._tag === 'Right') throw new Error('it was read')
  return result.left
}
export const read = (record: EnvelopeRecord) => readMessage(record, contentTopic)
