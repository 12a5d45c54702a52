import { describe, expect, it } from 'vitest'
import { by, given, history, observe, only, recorded, typesOf } from './commands.ts'

/* How a person ends a finding, and what the next checks make of it. */

const resolution = 'main/letters/1912/03.tif#1'
const close = (how: 'repaired' | 'lost' | 'accepted' | 'false-alarm') =>
  ({ type: 'CloseResolution', ...by(9), resolution, how, reason: 'as agreed' }) as const
const sour = history([recorded()], observe('BAAA', 1))
/** F8, which has a lag: three looks. */
const gone = history([recorded()], ...[1, 2, 8].map((minutes) => observe('--AA', minutes)))

describe.each(['accepted', 'lost'] as const)('%s', (how) => {
  const ended = history(sour, close(how))

  it('asks for no check: as it is, it is known', () => {
    expect(typesOf(ended.slice(sour.length))).toEqual(['ResolutionClosed'])
  })

  it('the same bytes under the same record are no new finding, however often they are seen', () => {
    for (const seen of [[10], [10, 20, 30]]) {
      const events = history(ended, ...seen.map((minutes) => observe('BAAA', minutes)))
      expect(new Set(typesOf(events.slice(ended.length)))).toEqual(new Set(['FixityDecided']))
      expect(only(events.slice(-1), 'FixityDecided')).toMatchObject({ outcome: 'failure', followUps: [] })
    }
  })

  it('other bytes are a new finding', () => {
    const { events } = given(...ended).when(observe('CAAA', 10))
    expect(only(events, 'ResolutionOpened').summary).not.toContain(resolution)
  })

  it('another record is a new finding', () => {
    const { events } = given(...ended, recorded('C', 10)).when(observe('BCCC', 11))
    expect(only(events, 'ResolutionOpened').row).toBe('F2')
  })

  it('an absence is one look, without the wait for a record on its way', () => {
    const events = history(gone, close(how), observe('--AA', 20))
    expect(only(events.slice(gone.length), 'FixityDecided')).toMatchObject({
      outcome: 'failure',
      followUps: [],
    })
    const back = given(...history(gone, close(how))).when(observe('AAAA', 20))
    expect(only(back.events, 'FixityDecided').outcome).toBe('success')
  })
})

describe.each(['repaired', 'false-alarm'] as const)('%s is a claim', (how) => {
  const claimed = history(sour, close(how))

  it('the same bytes again are a new finding, which names the old one', () => {
    const { events } = given(...claimed).when(observe('BAAA', 10))
    expect(only(events, 'ResolutionOpened').summary).toContain(`${resolution} was closed as ${how}.`)
  })

  it('other bytes are a finding of their own', () => {
    const { events } = given(...claimed).when(observe('CAAA', 10))
    expect(only(events, 'ResolutionOpened').summary).not.toContain(resolution)
  })
})

it('what is closed by a person is what the last finished check found, not what is looked at again', () => {
  // Between finding and closing the file vanished, and that was seen once.
  const vanishing = history(sour, observe('--AA', 5), close('accepted'))
  expect(typesOf(given(...vanishing).when(observe('BAAA', 10)).events)).toEqual(['FixityDecided'])
  const missing = history(vanishing, ...[20, 21, 27].map((minutes) => observe('--AA', minutes)))
  expect(missing.slice(vanishing.length).map(({ type }) => type)).toContain('ResolutionOpened')
})
