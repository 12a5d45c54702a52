import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, carried, changed, inPresent } from '../../dashboard/src/address/address.ts'
import { askUnder, asOf, noted, nowUnder, ofNow } from '../../dashboard/src/api/past.ts'
import { valueWords } from '../../dashboard/src/pages/compare/words.ts'
import { endOfSecond, wantedIn, whyNotYet } from '../../dashboard/src/shell/time-machine/moment.ts'
import { spanAround, spansWithin } from '../../dashboard/src/shell/time-machine/spans.ts'

const wanted = (query: string) => wantedIn(new URLSearchParams(query))

describe('the moment in an address', () => {
  it.each(['', 'at=', 'q=at'])('is now in %j', (query) => expect(wanted(query)).toEqual({ kind: 'now' }))

  it.each(['0', '1042', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123Z', '2026-01-31T12:00+05:30'])(
    'is the past in at=%s',
    (at) => expect(wanted(`at=${encodeURIComponent(at)}`)).toEqual({ kind: 'past', at }),
  )

  it.each([
    'yesterday',
    '-1',
    '1.5',
    '1e3',
    '2026-01-31',
    '2026-01-31T12:00:00',
    '2026-02-31T12:00:00Z',
    '2026-01-31T25:00:00Z',
    '1'.repeat(19),
    '\u202e1042',
    '<img src=x onerror=alert(1)>',
  ])('is none in at=%s', (at) =>
    expect(wanted(String(new URLSearchParams({ at })))).toMatchObject({ kind: 'unfit', at }),
  )

  it('is not two', () => expect(wanted('at=1&at=2')).toMatchObject({ kind: 'unfit' }))
})

it('a moment that has not come is refused, by the clock of the server and the end of the log', () => {
  const told = { now: new Date('2026-01-31T12:00:00Z'), last: { position: '1042' } }
  expect(whyNotYet('1042', told)).toBe(undefined)
  expect(whyNotYet('2026-01-31T12:00:00Z', told)).toBe(undefined)
  expect(whyNotYet('1043', told)).toContain('ends with 1042')
  expect(whyNotYet('2026-01-31T12:00:00.001Z', told)).toContain('not come yet')
  expect(whyNotYet('0', { ...told, last: null })).toContain('no events')
})

it('a second that is chosen is shown to its end, in the zone of the reader', () => {
  const at = endOfSecond('2026-01-31T12:00:05')!
  expect(new Date(at).getTime()).toBe(new Date(2026, 0, 31, 12, 0, 5, 999).getTime())
  expect(endOfSecond('')).toBe(undefined)
})

describe('a link', () => {
  it('leads on within the past, unless it names a moment of its own, or leads out', () => {
    const at = '2026-01-31T12:00:00+01:00'
    const here = addressOf(carried('/log?type=A', at))
    expect([here.path, here.query.get('type'), here.query.get('at')]).toEqual(['/log', 'A', at])
    expect(carried('/log?at=7', '1042')).toBe('/log?at=7')
    expect(carried('/log?type=A', null)).toBe('/log?type=A')
    expect(carried(inPresent(addressOf('/log?type=A&at=7')), '7')).toBe('/log?type=A')
    expect(carried(inPresent(addressOf('/?at=7')), '7')).toBe('/')
  })

  it('keeps all else that stands in it, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (q) => {
        const to = changed(addressOf('/log'), { q })
        expect(addressOf(carried(to, '7')).query.get('q') ?? '').toBe(q)
        expect(carried(inPresent(addressOf(carried(to, '7'))), '7')).toBe(to)
      }),
    )
  })
})

describe('what is asked under a signal', () => {
  const past = { at: '7', time: new Date('2026-01-31T12:00:00Z') }
  const under = (...paths: readonly string[]) => {
    const { signal } = new AbortController()
    askUnder(signal, past)
    for (const path of paths) noted(path, signal)
    return ofNow(signal)
  }

  it('is asked about the past where its route can be; what cannot be is noted', () => {
    expect(asOf('/api/v1/fixity/stores', { days: 1 }, past)).toEqual({ days: 1, asOf: '7' })
    expect(asOf('/api/v1/nodes', {}, past)).toEqual({})
    expect(asOf('/api/v1/fixity/stores', { days: 1 }, undefined)).toEqual({ days: 1 })
    expect(under('/api/v1/fixity/stores')).toBe('none')
    expect(under('/api/v1/nodes')).toBe('all')
    expect(under('/api/v1/fixity/stores', '/api/v1/nodes')).toBe('part')
    expect(under('/api/v1/events/{position}')).toBe('none')
  })

  it('is of the present where no past is shown', () => {
    const { signal } = new AbortController()
    askUnder(signal, undefined)
    expect(noted('/api/v1/nodes', signal)).toBe(undefined)
    expect(ofNow(signal)).toBe('none')
    expect(Math.abs(nowUnder(signal).getTime() - Date.now())).toBeLessThan(60_000)
    const other = new AbortController().signal
    askUnder(other, past)
    expect(nowUnder(other)).toBe(past.time)
  })
})

describe('the part of the log that the slider shows', () => {
  const day = 24 * 3600 * 1000

  it('is one of those shorter than the log', () => {
    expect(spansWithin({ since: 0, until: 1000 })).toEqual([])
    expect(spansWithin({ since: 0, until: 40 * day }).map(({ name }) => name)).not.toContain(
      'a year around it',
    )
    expect(spansWithin({ since: 0, until: 40 * day })).toHaveLength(4)
  })

  it('lies within the log, has the moment in it, and whole seconds from where the log begins', () => {
    const whole = fc.integer({ min: 0, max: 1e6 }).map((n) => n * 1000)
    fc.assert(
      fc.property(
        whole,
        fc.integer({ min: 2, max: 1e6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (since, seconds, where) => {
          const log = { since, until: since + seconds * 1000 }
          const time = Math.floor(since + where * (seconds * 1000 - 1))
          const length = Math.max(1, Math.floor(seconds / 2)) * 1000
          const span = spanAround(log, time, length)
          expect(span.until - span.since).toBe(length)
          expect(span.since).toBeGreaterThanOrEqual(log.since)
          expect(span.until).toBeLessThanOrEqual(log.until)
          expect((span.since - log.since) % 1000).toBe(0)
          expect(span.since <= time && time <= span.until).toBe(true)
        },
      ),
    )
  })
})

it('values are told as people read them', () => {
  expect([null, undefined, 'a', 1, ['x']].map(valueWords)).toEqual(['none', 'none', 'a', '1', '["x"]'])
})
