import * as t from 'io-ts'
import { duration, plural } from '../../../domain/kernel/amounts.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { assess, type Readings } from '../../../domain/research/capacity.ts'
import type { Policy } from '../../../domain/research/policy/policy.ts'
import type { Explanation, SchedulerState } from '../../../domain/research/selection/scheduler-state.ts'
import { ClipId, EpisodeId } from '../../../domain/research/terms.ts'
import { episodeSentence, pairSentence } from './reasons.ts'

const Reason = t.intersection([
  t.type({ kind: t.string }),
  t.partial({ until: t.string, next: t.string, places: t.number, lease: t.string }),
])
const explanation = { reasons: t.readonlyArray(Reason), says: t.readonlyArray(t.string) }

/** The items that would be handed out next, and why. Every `says` is a sentence for people. */
export const NextAnswer = t.readonly(
  t.intersection([
    t.type({
      /** ISO 8601 UTC. */
      at: t.string,
      capacity: t.type({ researchers: t.number, queued: t.number, says: t.string }),
      /** One item each, in order, as long as nothing changes. */
      upcoming: t.readonlyArray(t.type({ episode: EpisodeId, clips: t.readonlyArray(ClipId) })),
    }),
    t.partial({
      /** The reason, if nothing is upcoming. */
      nothing: t.string,
      /** Explanation of the episode in question; else of the first one. */
      episode: t.intersection([
        t.type({
          ...explanation,
          episode: EpisodeId,
          priority: t.number,
          pinned: t.boolean,
          clips: t.type({ total: t.number, researched: t.number, leased: t.number, open: t.number }),
        }),
        t.partial({ firstCuratedAt: t.string }),
      ]),
      pair: t.type({ ...explanation, episode: EpisodeId, clip: ClipId }),
    }),
  ]),
)
export type NextAnswer = t.TypeOf<typeof NextAnswer>

interface NextQuestion {
  readonly at: string
  readonly max: number
  readonly episode?: string | undefined
  readonly clip?: string | undefined
}

/** Advances the scheduler state to the time of the question, and no further. */
export const nextAnswer = (
  scheduler: SchedulerState,
  { at, max, episode, clip }: NextQuestion,
): NextAnswer => {
  scheduler.advance(at)
  const readings = scheduler.readings()
  const upcoming = scheduler.upcoming(max)
  const about = episode ?? upcoming[0]?.episode
  const explanation = about === undefined ? undefined : scheduler.explain(about)
  const isKnown = explanation?.reasons.every(({ kind }) => kind !== 'unknown')
  // An episode that is not known has no pairs.
  const reasons =
    about !== undefined && clip !== undefined && isKnown ? scheduler.explainPair(about, clip) : undefined
  return {
    at,
    capacity: { ...readings, says: capacitySentence(readings, scheduler.paused()) },
    upcoming,
    ...(upcoming.length === 0 && { nothing: nothingSentence(scheduler.size()) }),
    ...(explanation && {
      episode: {
        ...explanation,
        says: [
          ...explanation.reasons.map((reason) => episodeSentence(reason, explanation)),
          ...agingSentences(explanation, scheduler.policy().policy),
        ],
      },
    }),
    ...(about !== undefined &&
      clip !== undefined &&
      reasons && {
        pair: { episode: about, clip, reasons, says: reasons.map((one) => pairSentence(one, about, clip)) },
      }),
  }
}

/** Explains the order if it differs from that of priority and date, which people expect (X11). */
const agingSentences = ({ reasons }: Explanation, { agingSeconds }: Policy): readonly string[] =>
  agingSeconds !== undefined && reasons.some(({ kind }) => kind === 'next' || kind === 'behind')
    ? [
        `old ones go first: to be first curated ${duration(agingSeconds * SECOND)} earlier weighs as much as one step of priority (agingSeconds)`,
      ]
    : []

const nothingSentence = ({ episodes, clips }: ReturnType<SchedulerState['size']>): string => {
  if (episodes === 0) return 'nothing can be handed out: nobody has curated an episode yet'
  if (clips === 0) return 'nothing can be handed out: nobody has curated a clip yet'
  return (
    'nothing can be handed out now: every pair is done, under lease, resting after a failure or waiting for others, or ' +
    'somebody excluded or has to revive it; ask about one episode to hear which'
  )
}

const capacitySentence = (readings: Readings, paused: boolean): string => {
  const { researchers, queued } = readings
  const position = researchers === 0 ? '' : ` (position ${researchers - queued})`
  const there = `${plural(researchers, 'researcher')} there, ${plural(queued, 'item')} waiting${position}`
  if (paused) return `${there}; handing out is paused: \`fonds do research.resume\``
  const capacity = assess(readings)
  if (capacity.add) return `${there}: one more item is put out as soon as there is work`
  return capacity.stopped === 'surplus'
    ? `${there}: nothing more is put out until an item is taken`
    : `${there}: nothing more is put out until a researcher comes; \`fonds worker researcher\` is one`
}
