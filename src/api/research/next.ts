import { plural } from '../../domain/kernel/amounts.ts'
import { assess, type Readings } from '../../domain/research/capacity.ts'
import type { Board, Choice, Explanation, PairReason } from '../../domain/research/selection/board.ts'
import { episodeSentence, pairSentence } from './reasons.ts'

/** What would be handed out next, and why. */
export interface NextAnswer {
  /** ISO 8601 UTC. */
  readonly at: string
  readonly capacity: Readings & { readonly says: string }
  /** One item each, in order, were nothing to change between. */
  readonly upcoming: readonly Choice[]
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
  const reasons = about !== undefined && clip !== undefined ? board.explainPair(about, clip) : undefined
  return {
    at,
    capacity: { ...readings, says: capacitySentence(readings, board.paused()) },
    upcoming,
    ...(explanation && {
      episode: {
        ...explanation,
        says: explanation.reasons.map((reason) => episodeSentence(reason, explanation)),
      },
    }),
    ...(about !== undefined &&
      clip !== undefined &&
      reasons && {
        pair: { episode: about, clip, reasons, says: reasons.map((one) => pairSentence(one, about, clip)) },
      }),
  }
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
