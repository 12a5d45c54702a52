import type { IHeaders, KafkaMessage } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { bytesOf, createRecordReader, keyAndHeaders } from '../../../../infra/broker/kafka/records.ts'

const read = (key: Buffer | null, headers: IHeaders = {}) => {
  const message: KafkaMessage = {
    key,
    value: Buffer.from('{'),
    timestamp: '1700000000000',
    attributes: 0,
    offset: '1',
    headers,
  }
  return createRecordReader('t', 0)(message)
}
const bytes = (...some: number[]) => Buffer.from(some)
/** As kafkajs reads it: a name that every object has comes as a list with what the object has there. */
const inherited = Object.defineProperty({}, '__proto__', {
  value: [Object.prototype, Buffer.from('1')],
  enumerable: true,
}) as IHeaders

describe('a record of Kafka', () => {
  it('that is text says all as text', () => {
    const record = read(Buffer.from('ä'), { a: Buffer.from('b'), empty: Buffer.alloc(0) })
    expect(record).toMatchObject({ key: 'ä', headers: { a: 'b', empty: '' } })
    expect(record.raw).toBeUndefined()
  })

  it('has no header that comes without a value', () => {
    const none = null as unknown as undefined
    const headers = { a: Buffer.from('b'), none, never: [none, none], last: [Buffer.from('1'), none] }
    const record = read(null, headers as unknown as IHeaders)
    expect(record.headers).toEqual({ a: 'b', last: '1' })
    expect(record.raw).toBeUndefined()
  })

  it.each<[string, Buffer | null, IHeaders]>([
    ['whose key is no UTF-8', bytes(0xff, 0x61), { a: Buffer.from('b') }],
    ['with a header that is no UTF-8', null, { a: bytes(0xfe), b: Buffer.from('b') }],
    ['with a header that stands twice', Buffer.from('k'), { a: [bytes(1), bytes(2)] }],
    ['with a header whose name no object can take', null, inherited],
  ])('%s is sent again byte for byte', (_, key, headers) => {
    const record = read(key, headers)
    const sent = keyAndHeaders(record)
    expect(sent.key).toEqual(key)
    expect(Object.keys(sent.headers)).toEqual(Object.keys(headers))
    for (const [name, value] of Object.entries(headers))
      expect([sent.headers[name]].flat()).toEqual([value].flat().filter(Buffer.isBuffer))
  })

  it('is measured by the bytes that are sent', () => {
    const big = { name: 'a', value: Buffer.alloc(5000, 0xff) }
    const record = { topic: 't', key: null, headers: {}, value: '' }
    expect(bytesOf({ ...record, raw: { key: bytes(1), headers: [big] } })).toBeGreaterThan(5000)
  })
})
