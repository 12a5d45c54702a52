import { duration, plural } from '../../domain/kernel/amounts.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { assess, type Readings } from '../../domain/research/capacity.ts'
import type { Policy } from '../../domain/research/desk/policy.ts'
import type { Board, Choice, Explanation, PairReason } from '../../domain/research/selection/board.ts'
import { episodeSentence, pairSentence } from './reasons.ts'

/** What would be handed out next, and why. */
export interface NextAnswer {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly capacity: Readings & { readonly says: string }
  /** One item each, in order, were nothing to change between. */
  readonly upcoming: readonly Choice[]
  /** A sentence, where nothing is upcoming. */
  readonly nothing?: string
  /** Of the episode that was asked about; else of the first one. */
  readonly episode?: Explanation & { readonly says: readonly string[] }
  readonly pair?: {
    readonly episode: string
    readonly clip: string
    readonly reasons: readonly PairReason[]
    readonly says: readonly string[]
  }
}

export interface NextQuestion {
  readonly at: string
  readonly most: number
  readonly episode?: string | undefined
  readonly clip?: string | undefined
}

/** The board is brought to the time that is asked about, and no other. */
export const nextAnswer = (board: Board, { at, most, episode, clip }: NextQuestion): NextAnswer => {
  board.advance(at)
  const readings = board.readings()
  const upcoming = board.upcoming(most)
  const about = episode ?? upcoming[0]?.episode
  const explanation = about === undefined ? undefined : board.explain(about)
  const isKnown = explanation?.reasons.every(({ kind }) => kind !== 'unknown')
  // An episode that nobody knows has no pairs to tell of.
  const reasons =
    about !== undefined && clip !== undefined && isKnown ? board.explainPair(about, clip) : undefined
  return {
    at,
    capacity: { ...readings, says: capacitySentence(readings, board.paused()) },
    upcoming,
    ...(upcoming.length === 0 && { nothing: nothingSentence(board.size()) }),
    ...(explanation && {
      episode: {
        ...explanation,
        says: [
          ...explanation.reasons.map((reason) => episodeSentence(reason, explanation)),
          ...agingSentences(explanation, board.policy().policy),
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

/** Where the order is another than that of priority and date, which people expect (X11). */
const agingSentences = ({ reasons }: Explanation, { agingSeconds }: Policy): readonly string[] =>
  agingSeconds !== undefined && reasons.some(({ kind }) => kind === 'next' || kind === 'behind')
    ? [
        `old ones go first: to be first curated ${duration(agingSeconds * SECOND)} earlier weighs as much as one step of priority (agingSeconds)`,
      ]
    : []

const nothingSentence = ({ episodes, clips }: ReturnType<Board['size']>): string => {
  if (episodes === 0) return 'nothing can be handed out: nobody has curated an episode yet'
  if (clips === 0) return 'nothing can be handed out: nobody has curated a clip yet'
  return (
    'nothing can be handed out now: every pair is done, under lease, resting after a failure or waiting for others, or ' +
    'somebody excluded or has to revive it; ask about one episode to hear which'
  )
}

const capacitySentence = (readings: Readings, paused: boolean): string => {
  const { researchers, queued } = readings
  const there = `${plural(researchers, 'researcher')} there, ${plural(queued, 'item')} waiting (position ${researchers - queued})`
  if (paused) return `${there}; handing out is paused: \`fonds do research.resume\``
  const capacity = assess(readings)
  if (capacity.add) return `${there}: one more item is put out as soon as there is work`
  return capacity.stopped === 'surplus'
    ? `${there}: nothing more is put out until an item is taken`
    : `${there}: nothing more is put out until a researcher comes; \`fonds worker researcher\` is one`
}
