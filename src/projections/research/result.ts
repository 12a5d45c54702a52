import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { EpisodeEvent } from '../../domain/research/episode/events.ts'

type Researched = Extract<EpisodeEvent, { readonly type: 'ClipResearched' }>['data']

/** A result with its place in the log. */
export interface Result extends Researched {
  readonly episode: string
  /** Revision of the event in the stream of the episode. */
  readonly revision: number
}

export const resultOf = (data: Researched, event: RecordedEvent): Result => ({
  ...data,
  episode: idOf(event.stream),
  revision: Number(event.revision),
})
