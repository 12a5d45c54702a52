import type { PostedLines } from '../../domain/indexing/posts/events.ts'
import { postsCategory } from '../../domain/indexing/posts/events.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { placeOf } from '../../domain/kernel/event-place.ts'
import type { IndexChange, LastChange } from '../../ports/capture-index.ts'

/** The change of the index by a post; undefined for other events. */
export const postedChange = (event: RecordedEvent): IndexChange | undefined => {
  const { type, stream, data } = event
  if (categoryOf(stream) !== postsCategory) return undefined
  const { run, lines, digest } = data as PostedLines
  return {
    kind: type === 'LinesPosted' ? 'add' : 'remove',
    run: { ...run, lines, sha256: digest },
    ...decidedBy(event),
  }
}

/** The event that decided a change. */
export const decidedBy = (event: RecordedEvent): LastChange => ({
  position: event.position,
  event: placeOf(event),
})
