import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import type { EpisodeCommand } from '#src/domain/research/episode/commands.ts'
import { episodeDecider } from '#src/domain/research/episode/decide.ts'
import type { EpisodeEvent } from '#src/domain/research/episode/events.ts'
import {
  curated,
  extend,
  fail,
  grant,
  notePassed,
  release,
  reopen,
  report,
  revoke,
  take,
} from './episodes.ts'
import { NaiveEpisode } from './naive.ts'

/*
 * Any interleaving of assigners with stale views, researchers, intakes and clocks, on one episode: decisions are those of
 * the naive episode, and what must never happen does not, told from the events alone.
 */

const clips = ['a', 'b', 'c', 'd', 'e', 'f']

/** What a step may refer to: the time, what each assigner saw last, and the naive episode for the newest leases. */
interface World {
  readonly minutes: number
  readonly naive: NaiveEpisode
  readonly views: (readonly string[])[]
  granted: number
  last: EpisodeCommand | undefined
}
type Step = (world: World) => EpisodeCommand | undefined

const assigner = fc.nat(2)
const researcher = fc.constantFrom('r1', 'r2')
const clip = fc.constantFrom(...clips)
const lease = fc.option(fc.nat(3), { nil: undefined })

/** One of the newest leases, counted back; beyond the first there are ids that nobody granted. */
const leaseOf = ({ granted }: World, back: number): string => `l${granted - back}`

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: assigner.map(
      (who): Step =>
        (world) => {
          world.views[who] = clips.filter((clip) => world.naive.free(clip))
          return undefined
        },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(assigner, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(
      ([who, size, two]): Step =>
        (world) => {
          const view = world.views[who]!
          const [some, others] = [view.slice(0, size), view.slice(size, 2 * size)]
          if (some.length === 0) return undefined
          const leases = { [`l${++world.granted}`]: some }
          if (two && others.length > 0) leases[`l${++world.granted}`] = others
          return grant(world.minutes, leases, { longestLeaseSeconds: 9000 })
        },
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(3), researcher).map(
      ([back, who]): Step =>
        (world) =>
          take(world.minutes, leaseOf(world, back), who),
    ),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(lease, clip, researcher, fc.boolean(), fc.boolean()).map(
      ([back, clip, who, a, b]): Step =>
        (world) =>
          report(world.minutes, clip, back === undefined ? undefined : leaseOf(world, back), {
            researcher: who,
            final: a && b,
          }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(lease, clip, researcher, fc.constantFrom('episode', 'clip', 'pair'), fc.boolean())
      .map(
        ([back, clip, who, subject, final]): Step =>
          (world) =>
            fail(world.minutes, subject, {
              researcher: who,
              final,
              ...(subject !== 'episode' && { clip }),
              ...(back !== undefined && { lease: leaseOf(world, back) }),
            }),
      ),
  },
  fc.tuple(fc.nat(3), researcher, fc.constantFrom('extend', 'release', 'revoke', 'expired', 'lapsed')).map(
    ([back, who, what]): Step =>
      (world) => {
        const id = leaseOf(world, back)
        switch (what) {
          case 'extend':
            return extend(world.minutes, id, who)
          case 'release':
            return release(world.minutes, id, who)
          case 'revoke':
            return revoke(world.minutes, id)
          case 'expired':
            return notePassed(world.minutes, 'NoteExpired', id)
          case 'lapsed':
            return notePassed(world.minutes, 'NoteLapsed', id)
        }
      },
  ),
  fc.subarray(clips).map(
    (some): Step =>
      ({ minutes }) =>
        reopen(minutes, { clips: some }),
  ),
  // Delivered again, by a clock of its own.
  fc.constant<Step>(({ last }) => last),
)

/** Clocks differ by some minutes, time goes on all the same. */
const lives = fc.array(fc.tuple(fc.integer({ min: -4, max: 15 }), steps), { maxLength: 60, size: 'max' })

interface Lived {
  readonly command: EpisodeCommand
  /** Of the decider and of the naive episode, in words. */
  readonly told: readonly string[]
  readonly expected: readonly string[]
  readonly events: readonly EpisodeEvent[]
}

const live = (life: readonly (readonly [number, Step])[]): readonly Lived[] => {
  let state = episodeDecider.evolve(episodeDecider.initial, curated)
  let minutes = 0
  const naive = new NaiveEpisode()
  const world = {
    naive,
    views: [clips, clips, clips],
    granted: 0,
    last: undefined as EpisodeCommand | undefined,
  }
  const lived: Lived[] = []
  for (const [wait, step] of life) {
    minutes += wait
    const now: World = { ...world, minutes }
    const command = step(now)
    world.granted = now.granted
    if (!command) continue
    world.last = command
    const decided = episodeDecider.decide(command, state)
    const events = isLeft(decided) ? [] : decided.right
    const told = isLeft(decided) ? [decided.left.code] : events.map(wordsOf)
    lived.push({ command, told, expected: naive.answer(command), events })
    state = events.reduce(episodeDecider.evolve, state)
  }
  return lived
}

const wordsOf = ({ type, data }: EpisodeEvent): string => {
  switch (type) {
    case 'WorkItemTaken':
      return `${type} ${data.lease} ${data.researcher}`
    case 'LeaseExtended':
      return `${type} ${data.lease} ${data.deadline}`
    case 'ClipResearched': {
      const marks = (['repeat', 'outsideLease', 'notTheHolder'] as const).filter((mark) => data[mark])
      return [type, data.clip, ...Object.values(data.effect), ...marks].join(' ')
    }
    case 'ResearchFailed': {
      const attempt = data.attempt === undefined ? [] : ['attempt', data.attempt]
      const parked = data.attempt !== undefined && data.retryAt === undefined ? ['parked'] : []
      return [type, data.subject, ...Object.values(data.effect), ...attempt, ...parked].join(' ')
    }
    default:
      return 'lease' in data ? `${type} ${data.lease}` : type
  }
}

const inEveryLife = (holds: (lived: readonly Lived[]) => void, settings: { seed?: number } = {}) =>
  fc.assert(
    fc.property(lives, (life) => {
      holds(live(life))
    }),
    { numRuns: 500, ...settings },
  )

/** The lease that an event ends, or says to have ended or expired. */
const endedBy = ({ type, data }: EpisodeEvent): string | undefined => {
  if (type === 'LeaseExpired' || type === 'LeaseReleased' || type === 'LeaseRevoked') return data.lease
  if (type !== 'ClipResearched' && type !== 'ResearchFailed') return undefined
  const { effect, lease } = data
  const over = effect.kind === 'revoked' || (effect.kind === 'none' && /expired|ended/.test(effect.because))
  return over ? lease : undefined
}

const deadlineIn = ({ type, data }: EpisodeEvent): string | undefined => {
  if (type === 'LeaseGranted' || type === 'LeaseExtended') return data.deadline
  if (type !== 'ClipResearched' && type !== 'ResearchFailed') return undefined
  return data.effect.kind === 'extended' ? data.effect.deadline : undefined
}

describe('one episode under any interleaving', () => {
  it('decides as the naive one does', () => {
    inEveryLife((lived) => {
      for (const { told, expected } of lived) expect(told).toEqual(expected)
    })
  })

  it('these lives hold every fact of leases and results, every effect and every refusal', () => {
    const seen = new Set<string>()
    inEveryLife(
      (lived) => {
        for (const words of lived.flatMap(({ told }) => told))
          for (const word of words.split(' ')) if (/^[A-Za-z-]{3,}$/.test(word)) seen.add(word)
      },
      { seed: 1 },
    )
    const facts = episodeDecider.events.types.filter((type) =>
      /^(Lease|Work|Clip|Research|Reopened)/.test(type),
    )
    const effects = ['extended', 'revoked', 'none', 'no-lease', 'unknown', 'expired', 'ended']
    const marks = ['repeat', 'outsideLease', 'notTheHolder', 'attempt', 'parked']
    const refusals = ['pair-taken', 'unknown-lease', 'lease-ended', 'stale-item', 'taken-by-another']
    expect([...seen]).toEqual(
      expect.arrayContaining([...facts, ...effects, ...marks, ...refusals, 'not-the-holder']),
    )
  })

  it('F2: no pair is ever in two leases that have not ended', () => {
    inEveryLife((lived) => {
      const open = new Map<string, readonly string[]>()
      for (const { events } of lived) {
        for (const event of events) {
          const ended = endedBy(event)
          if (ended !== undefined) open.delete(ended)
          if (event.type === 'LeaseGranted') open.set(event.data.lease, event.data.clips)
        }
        const held = [...open.values()].flat()
        expect(new Set(held).size).toBe(held.length)
      }
    })
  })

  it('L37, L43: no result is lost; each pair counts exactly once, and once more each time it was reopened', () => {
    inEveryLife((lived) => {
      const counted = new Set<string>()
      for (const { command, events } of lived) {
        const results = events.filter((event) => event.type === 'ClipResearched')
        expect(results).toHaveLength(command.type === 'Report' ? 1 : 0)
        for (const { data } of results) {
          expect(data.repeat).toBe(counted.has(data.clip))
          counted.add(data.clip)
        }
        for (const { type, data } of events)
          if (type === 'Reopened') for (const clip of data.clips ?? counted) counted.delete(clip)
      }
    })
  })

  it('F13, F29: deadlines never move back, nor beyond the end of the longest life', () => {
    inEveryLife((lived) => {
      const leases = new Map<string, { deadline: string; endsBy: string }>()
      for (const event of lived.flatMap(({ events }) => events)) {
        const { data } = event
        const deadline = deadlineIn(event)
        if (deadline === undefined || !('lease' in data) || data.lease === undefined) continue
        const known = leases.get(data.lease)
        const endsBy = known?.endsBy ?? (('endsBy' in data && data.endsBy) || '')
        expect(deadline >= (known?.deadline ?? '')).toBe(true)
        expect(deadline <= endsBy).toBe(true)
        leases.set(data.lease, { deadline, endsBy })
      }
    })
  })

  it('L37, L40: nothing touches a lease after its end, whatever clocks say', () => {
    inEveryLife((lived) => {
      const over = new Set<string>()
      for (const event of lived.flatMap(({ events }) => events)) {
        const { data } = event
        const lease = 'lease' in data ? data.lease : undefined
        const touches = !('effect' in data) || data.effect.kind !== 'none'
        if (lease !== undefined && touches) expect(over).not.toContain(lease)
        const ended = endedBy(event)
        if (ended !== undefined) over.add(ended)
      }
    })
  })

  it('every event can be stored as JSON and read again, and says the same', () => {
    inEveryLife((lived) => {
      for (const { type, data } of lived.flatMap(({ events }) => events)) {
        const metadata = { actor: 'ada', causationId: 'c', correlationId: 'c', schema: 1 }
        const stored = JSON.parse(JSON.stringify(data))
        expect(episodeDecider.events.read({ type, data: stored, metadata })).toEqual({
          _tag: 'Right',
          right: { type, data },
        })
      }
    })
  })
})
