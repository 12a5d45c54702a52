import fc from 'fast-check'
import { isLeft } from 'fp-ts/lib/Either.js'
import { decisionOf } from '#src/domain/kernel/decider.ts'
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

/* Any life of an episode: assigners with stale views, researchers, intakes and clocks, decided one after the other. */

export const clips = ['a', 'b', 'c', 'd', 'e', 'f']

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
          return grant(world.minutes, leases, { longestLeaseSeconds: 9000, attempts: 2 })
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
export const lives = fc.array(fc.tuple(fc.integer({ min: -4, max: 15 }), steps), {
  maxLength: 60,
  size: 'max',
})

export interface Lived {
  readonly command: EpisodeCommand
  /** Of the decider and of the naive episode, in words. */
  readonly told: readonly string[]
  readonly expected: readonly string[]
  readonly events: readonly EpisodeEvent[]
}

export const live = (life: readonly (readonly [number, Step])[]): readonly Lived[] => {
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
    const events = isLeft(decided) ? [] : decisionOf(decided.right).events
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
    case 'LeaseExpired':
      return [type, data.lease, ...(data.silent === undefined ? [] : ['silent', data.silent])].join(' ')
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
