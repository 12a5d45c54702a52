import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../../async/unavailable.ts'
import type { RecordedEvent } from '../../../domain/kernel/event.ts'
import { type EpisodeEvent, episodeEvents } from '../../../domain/research/episode/events.ts'
import { placesOf } from '../../../domain/research/places.ts'
import { engineKey, episodeStream } from '../../../domain/research/terms.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import type { Point } from '../../../ports/view-store.ts'
import { ProjectionStopped } from '../../runtime/projection.ts'
import type { PairAnswer } from './answers.ts'

const pageSize = 1000

/**
 * All results of one pair, the oldest first (X9, X10). No view has results that found nothing, so the episode's stream
 * is read, up to a time or a position if one is given. Throws `UnavailableError`.
 */
export const pair = async (
  eventStore: Pick<EventStore, 'read'>,
  episode: string,
  clip: string,
  until?: Point,
): Promise<PairAnswer> => {
  const results = pairResults(clip)
  const stream = episodeStream(episode)
  for (let from = 0n; ; ) {
    const read = await eventStore.read(stream, from, 'forward', pageSize)()
    if (E.isLeft(read)) {
      if (read.left.kind === 'StreamDeleted') break
      throw unavailable(read.left)
    }
    const events = read.right
    for (const event of events) if (!isBehind(event, until)) results.add(event)
    const last = events.at(-1)
    if (!last || isBehind(last, until)) break
    from = last.revision + 1n
  }
  return { episode, clip, ...results.answer() }
}

const isBehind = ({ position, recordedAt }: RecordedEvent, until: Point | undefined): boolean =>
  until !== undefined && ('time' in until ? recordedAt > until.time : position > until.position)

type Results = PairAnswer['results']
type Researched = Extract<EpisodeEvent, { readonly type: 'ClipResearched' }>['data']

/** The views' fold, for one pair. */
const pairResults = (clip: string) => {
  const results: Results[number][] = []
  /** Which of them counts. */
  let effective: number | undefined
  return {
    add: (event: RecordedEvent): void => {
      if (event.type !== 'ClipResearched' && event.type !== 'Reopened') return
      const read = episodeEvents.read(event)
      if (E.isLeft(read)) throw new ProjectionStopped('research', event, read.left)
      const { type, data } = read.right
      if (type === 'ClipResearched' && data.clip === clip) {
        if (!data.repeat) effective = results.length
        results.push(resultOf(data))
      } else if (type === 'Reopened' && effective !== undefined) {
        const engine = engineKey(results[effective]!.engine)
        if (data.clips?.includes(clip) !== false && data.engines?.includes(engine) !== false)
          effective = undefined
      }
    },
    answer: () => ({
      researched: effective !== undefined,
      results: results.map((result, i) => ({ ...result, counts: i === effective })),
    }),
  }
}

const resultOf = (data: Researched): Results[number] => ({
  matches: placesOf(data).matches,
  ...(data.bestScore !== undefined && { bestScore: data.bestScore }),
  engine: data.engine,
  researcher: data.researcher,
  ...(data.lease !== undefined && { lease: data.lease }),
  researchedAt: data.researchedAt,
  ...(data.note !== undefined && { note: data.note }),
  ...(data.gaps !== undefined && { gaps: data.gaps }),
  ...(data.silent !== undefined && { silent: data.silent }),
  counts: false,
})
