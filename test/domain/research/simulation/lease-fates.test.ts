import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import { standingOf } from '#src/domain/research/episode/leases.ts'
import { leaseFactsReader } from '#src/domain/research/simulation/lease-facts.ts'
import { fatesOf, termsOf } from '#src/domain/research/simulation/lease-fates.ts'
import { runs } from '../../../runs.ts'
import { granted, researched, t, taken } from '../episode/episodes.ts'
import { live, lives } from '../episode/lives.ts'

const factsOf = (leases: readonly string[], events: readonly EpisodeEvent[]) => {
  const reader = leaseFactsReader(leases)
  for (const event of events.toReversed()) reader.add(event)
  return reader.facts()
}
const none = { kind: 'none', because: 'expired' } as const
const extended = { kind: 'extended', deadline: t(0) } as const
const result = (minutes: number, clip: string, final = false) =>
  researched(minutes, clip, final ? { kind: 'revoked' } : extended, { lease: 'L1', final })
const of = (type: 'LeaseExtended' | 'LeaseReleased' | 'LeaseRevoked', minutes: number): EpisodeEvent =>
  ({
    type,
    data: { lease: 'L1', researcher: 'r1', deadline: t(minutes), reason: 'because', at: t(minutes) },
  }) as EpisodeEvent
/** Granted at minute 0 for an hour, the item for half of one. */
const begun = [granted(0, 'L1', ['a', 'b']), taken(10, 'L1')]

/** What became of L1, by terms in minutes, as of a minute. */
const fates = (events: readonly EpisodeEvent[], lease = 60, item = 30, longest?: number, now = 1000) => {
  const terms: ReturnType<typeof termsOf> = {
    leaseSeconds: lease * 60,
    itemSeconds: item * 60,
    ...(longest !== undefined && { longestLeaseSeconds: longest * 60 }),
  }
  const found = fatesOf(factsOf(['L1'], events), () => terms, t(now))
  const first = (counts: object) => Object.entries(counts).find(([, n]) => n === 1)?.[0]
  const { lateReports, idleSeconds } = found
  return [first(found.items), first(found.leases), lateReports, idleSeconds / 60]
}

describe('X14: an item, under other settings', () => {
  const [offered] = begun
  test.each<[string, EpisodeEvent[], number, string, number?]>([
    ['taken in time', begun, 11, 'taken'],
    ['taken at the very end is too late', begun, 10, 'lapsed'],
    ['nobody took it, and it would have lapsed sooner', [offered!], 20, 'lapsed'],
    ['nobody took it: as it was', [offered!], 30, 'lapsed'],
    ['whether somebody would have come later is on no record', [offered!], 31, 'unknown'],
    ['it waits still', [offered!], 25, 'open', 20],
    ['it waited too long already', [offered!], 20, 'lapsed', 20],
    ['ended by a person before it lapsed', [offered!, of('LeaseRevoked', 5)], 40, 'open'],
    ['ended by a person after it would have lapsed', [offered!, of('LeaseRevoked', 5)], 4, 'lapsed'],
  ])('%s', (_, events, item, fate, now) => {
    expect(fates(events, 120, item, undefined, now)[0]).toBe(fate)
  })
})

describe('X14: a lease, under other settings', () => {
  const steady = [...begun, result(40, 'a'), result(70, 'b', true)]
  test.each<[string, EpisodeEvent[], number, (string | number | undefined)[]]>([
    ['ends by its last report', steady, 60, ['ended', 0, 0]],
    ['is cut short between two reports', steady, 35, ['cutShort', 2, 0]],
    ['a report at the very deadline is too late', steady, 40, ['cutShort', 2, 0]],
    [
      'is cut short before the last one',
      [...steady.slice(0, 3), result(90, 'b', true)],
      45,
      ['cutShort', 1, 0],
    ],
    ['is abandoned by who was heard of last at 40', steady.slice(0, 3), 60, ['abandoned', 0, 60]],
    ['would have been free sooner', steady.slice(0, 3), 45, ['abandoned', 0, 45]],
    ['is abandoned by who took it and was never heard of', begun, 60, ['abandoned', 0, 50]],
    ['lives on by a word', [...begun, of('LeaseExtended', 50), result(100, 'a', true)], 60, ['ended', 0, 0]],
    ['is given back', [...begun, of('LeaseReleased', 20)], 60, ['ended', 0, 0]],
    ['is revoked by a person', [...begun, of('LeaseRevoked', 50)], 60, ['ended', 0, 0]],
    [
      'a person came when it had run out: nobody worked on',
      [...begun, of('LeaseRevoked', 50)],
      45,
      ['abandoned', 0, 35],
    ],
    [
      'what came too late then would have been in time',
      [...begun, researched(80, 'a', none, { lease: 'L1', final: true })],
      90,
      ['ended', 0, 0],
    ],
  ])('%s', (_, events, lease, wanted) => {
    expect(fates(events, lease).slice(1)).toEqual(wanted)
  })

  test('of which the item lapsed is not worked on, unless somebody did all the same', () => {
    expect(fates(steady, 60, 5)).toEqual(['lapsed', undefined, 0, 0])
    const late = [granted(0, 'L1', ['a']), taken(35, 'L1'), result(35, 'a', true)]
    expect(fates(late, 60, 5)).toEqual(['lapsed', 'ended', 0, 0])
  })

  test('lives no longer than the longest, however it is extended', () => {
    expect(fates(steady, 60, 30, 65).slice(1, 3)).toEqual(['cutShort', 1])
    expect(fates(steady, 60, 30, 71).slice(1, 3)).toEqual(['ended', 0])
  })

  test('runs on', () => {
    expect(fates(steady.slice(0, 3), 60, 30, undefined, 99)[1]).toBe('running')
  })

  test('is none of ours where only others, or no grant, are on record', () => {
    expect(factsOf(['L2'], steady)).toEqual([])
    expect(factsOf(['L1'], steady.slice(1))).toEqual([])
    const reader = leaseFactsReader(['L1', 'L2'])
    reader.add(begun[0]!)
    expect(reader.missing()).toBe(1)
  })
})

/** Clocks that go on alone. */
const steadyLives = lives.map((life) => life.map(([wait, step]) => [Math.max(0, wait), step] as const))

test('by its own terms, of each lease it is told what the episode decided', () => {
  fc.assert(
    fc.property(steadyLives, (life) => {
      const lived = live(life)
      const events = lived.flatMap((one) => one.events)
      const now = lived.at(-1)?.command.at ?? t(0)
      const { leases } = events.reduce(episodeDecider.evolve, episodeDecider.initial)
      for (const event of events) {
        if (event.type !== 'LeaseGranted') continue
        const { lease } = event.data
        const facts = factsOf([lease], events)
        const { items, leases: fates } = fatesOf(facts, termsOf, now)
        expect(items.unknown).toBe(0)
        if (facts[0]?.takenAt === undefined) continue
        const { kind } = standingOf(leases, lease, now)
        expect([kind, fates]).toMatchObject([
          kind,
          {
            ended: Number(kind === 'ended'),
            running: Number(kind === 'active'),
          },
        ])
      }
    }),
    { numRuns: runs(300) },
  )
})

test('the longer the lease, the fewer reports are late', () => {
  fc.assert(
    fc.property(steadyLives, fc.nat(120), fc.nat(120), (life, minutes, more) => {
      const events = live(life).flatMap((one) => one.events)
      const ids = events.flatMap((event) => (event.type === 'LeaseGranted' ? event.data.lease : []))
      const late = (leaseMinutes: number) =>
        fatesOf(
          factsOf(ids, events),
          (lease) => ({ ...termsOf(lease), leaseSeconds: leaseMinutes * 60 }),
          t(10_000),
        ).lateReports
      expect(late(minutes + more)).toBeLessThanOrEqual(late(minutes))
    }),
    { numRuns: runs(200) },
  )
})
