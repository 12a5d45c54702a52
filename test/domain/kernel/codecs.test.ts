import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { decode, NonNegativeInteger, PositiveInteger, Text, Time } from '#src/domain/kernel/codecs.ts'

const refused = (codec: t.Mixed, value: unknown) => expect(decode(codec, value)).toHaveProperty('left')
const taken = (codec: t.Mixed, value: unknown, as = value) =>
  expect(decode(codec, value)).toEqual({ _tag: 'Right', right: as })

describe('shared codecs', () => {
  it('Text is not empty and can be written as UTF-8', () => {
    taken(Text, 'Brief №3 𝔄')
    for (const value of ['', '\ud800', 3, null]) refused(Text, value)
  })

  it('whole numbers are exact', () => {
    taken(NonNegativeInteger, 0)
    taken(PositiveInteger, Number.MAX_SAFE_INTEGER)
    for (const value of [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, '1'])
      refused(NonNegativeInteger, value)
    refused(PositiveInteger, 0)
  })

  it('Time comes out as UTC with milliseconds, so that times compare as text', () => {
    taken(Time, '2026-01-31T12:00:00.000Z')
    taken(Time, '2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z')
    taken(Time, '2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123Z')
    taken(Time, '2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z')
  })

  it.each([
    ['2026-01-31t12:00:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31t12:00:00.5+01:00', '2026-01-31T11:00:00.500Z'],
    ['2026-01-31T12:00:00.1z', '2026-01-31T12:00:00.100Z'],
    [`2026-01-31T12:00:00.${'9'.repeat(60)}Z`, '2026-01-31T12:00:00.999Z'],
    ['2026-01-31T12:00:00.123456789+01:00', '2026-01-31T11:00:00.123Z'],
    ['2026-01-31T12:00:00-23:59', '2026-02-01T11:59:00.000Z'],
    // RFC 3339, 4.3: the offset to local time is not known.
    ['2026-01-31T12:00:00-00:00', '2026-01-31T12:00:00.000Z'],
  ])('Time is RFC 3339 as it stands there: %s', (value, as) => taken(Time, value, as))

  it.each([
    '2026-01-31T12:00:00',
    '2026-01-31',
    '2026-13-01T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2026-02-31T00:00:00.000Z',
    '2026-02-31t00:00:00z',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+01:60',
    '2026-01-31T12:00:00+0100',
    // A leap second, which no Date can hold.
    '2016-12-31T23:59:60Z',
    'yesterday',
    1769860800000,
  ])('Time refuses %s', (value) => {
    refused(Time, value)
  })
})

describe('an explanation', () => {
  const Letter = t.intersection([
    t.type({ from: Text, pages: t.array(t.type({ number: PositiveInteger })) }),
    t.partial({ sent: Time }),
  ])
  const said = (value: unknown) => {
    const result = decode(Letter, value)
    return result._tag === 'Left' ? result.left : expect.fail('was taken')
  }

  it('names the field, what was wanted there and what stood there', () => {
    expect(said({ from: 'Ada', pages: [{ number: 1 }, { number: 0 }] })).toBe(
      'pages.1.number: wants whole number from 1, got 0',
    )
    expect(said({ from: 'Ada', pages: [], sent: 'soon' })).toBe(
      'sent: wants RFC 3339 time with a zone, got "soon"',
    )
  })

  it('names the field of a refined intersection, too', () => {
    const Long = t.refinement(
      t.refinement(Letter, () => true),
      ({ pages }) => pages.length > 1,
      'long letter',
    )
    expect(decode(Long, { from: '', pages: [] })).toMatchObject({
      left: 'from: wants non-empty text, got ""',
    })
  })

  it('says nothing where nothing stood', () => {
    expect(said({ pages: [] })).toBe('from: wants non-empty text, got nothing')
  })

  it('lists several faults, each once', () => {
    expect(said({ from: '', pages: 'none' }).split('; ')).toHaveLength(2)
  })

  it('speaks of the value where it has no field', () => {
    expect(said(null)).toMatch(/^the value: /)
  })

  it('stays short, whatever came in', () => {
    const fault = said({ from: 'x'.repeat(0), pages: 'y'.repeat(10_000) })
    expect(fault.length).toBeLessThan(300)
    const many = said({ from: 'Ada', pages: Array.from({ length: 100 }, () => ({ number: -1 })) })
    expect(many.split('; ')).toHaveLength(5)
  })
})
