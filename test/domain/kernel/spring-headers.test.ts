import { describe, expect, it } from 'vitest'
import { causeOf, formerCauseOf } from '#src/domain/kernel/message.ts'
import {
  attributes,
  binary,
  example,
  headers,
  leftOf,
  read,
  rightOf,
  structured,
} from './cloud-event-records.ts'

/* What DefaultKafkaHeaderMapper of spring-kafka 3.3.11 writes: objects as JSON, text as JSON with `encodeStrings` alone. */

const types = JSON.stringify({
  ce_id: 'java.lang.String',
  ce_source: 'java.net.URI',
  'content-type': 'java.lang.String',
})
const spring = { ...headers, spring_json_header_types: types }
const quoted = (some: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(some).map(([name, text]) => [name, JSON.stringify(text)]))

describe('headers that Spring wrote', () => {
  it('have the same source whether it was a URI or text', () => {
    const message = rightOf(read({ ...binary, headers: { ...spring, ce_source: '"/scanner/7"' } }))
    expect(message.source).toBe('/scanner/7')
    expect(causeOf(message)).toBe(causeOf(rightOf(read(binary))))
  })

  it('are read where all text stands in quotes, the content type too', () => {
    const all = { ...quoted(headers), spring_json_header_types: types }
    const { quoted: before, ...message } = rightOf(read({ ...binary, headers: all }))
    expect(message).toEqual(rightOf(read(binary)))
    expect(before).toEqual({ id: '"a-1"', source: '"/scanner/7"' })
  })

  it('say under which cause older versions of Fonds had the message, where that is another', () => {
    const uri = rightOf(read({ ...binary, headers: { ...spring, ce_source: '"/scanner/7"' } }))
    expect(formerCauseOf(uri)).toBe('"/scanner/7"#a-1')
    expect(formerCauseOf(rightOf(read({ ...binary, headers: spring })))).toBeUndefined()
  })

  it('may say in quotes that the value is the whole event', () => {
    const type = { spring_json_header_types: types, 'content-type': '"application/cloudevents+json"' }
    const message = rightOf(read({ ...structured({ ...attributes, data: example }), headers: type }))
    expect(message).toMatchObject({ id: 'a-1', source: '/scanner/7' })
    expect(message).not.toHaveProperty('quoted')
  })

  it('lose escapes with their quotes, and nothing where they hold no JSON string', () => {
    const source = (text: string) =>
      rightOf(read({ ...binary, headers: { ...spring, ce_source: text } })).source
    expect(source('"a \\"b\\" \\u00fc"')).toBe('a "b" ü')
    expect(source('"open')).toBe('"open')
    expect(source('"a" and "b"')).toBe('"a" and "b"')
    expect(source('5')).toBe('5')
  })

  it('say a time as seconds, where their types name it as one', () => {
    const withTime = (ce_time: string, type: string) =>
      read({
        ...binary,
        headers: { ...spring, ce_time, spring_json_header_types: JSON.stringify({ ce_time: type }) },
      })
    const time = (text: string, type: string) => rightOf(withTime(text, type)).time
    // As the mapper writes them with jackson-datatype-jsr310 2.15.2.
    expect(time('1769857200.500000000', 'java.time.OffsetDateTime')).toBe('2026-01-31T11:00:00.500Z')
    expect(time('1769860800.123456789', 'java.time.Instant')).toBe('2026-01-31T12:00:00.123Z')
    expect(time('1769860800.001', 'java.time.ZonedDateTime')).toBe('2026-01-31T12:00:00.001Z')
    expect(time('-0.25', 'java.time.Instant')).toBe('1969-12-31T23:59:59.750Z')
    expect(time('"2026-01-31T12:00:00Z"', 'java.lang.String')).toBe('2026-01-31T12:00:00.000Z')
    for (const [text, type] of [
      ['1769857200', 'java.lang.String'],
      ['1769857200500', 'java.util.Date'],
      ['999999999999', 'java.time.Instant'],
      ['soon', 'java.time.Instant'],
    ] as const)
      expect(leftOf(withTime(text, type))).toMatchObject({ reason: 'not-a-cloud-event', path: 'ce_time' })
  })

  it('are refused by name where the quotes hold nothing', () => {
    const why = leftOf(read({ ...binary, headers: { ...spring, ce_source: '""' } }))
    expect(why).toMatchObject({ reason: 'not-a-cloud-event', path: 'ce_source' })
  })
})

it('quotes of another producer are a part of the source', () => {
  expect(rightOf(read({ ...binary, headers: { ...headers, ce_source: '"/a"' } })).source).toBe('"/a"')
})
