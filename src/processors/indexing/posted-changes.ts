import type { PostedLines } from '../../domain/indexing/posts/events.ts'
import { postsCategory } from '../../domain/indexing/posts/events.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { placeOf } from '../../domain/kernel/event-place.ts'
import type { IndexChange, LastChange } from '../../ports/capture-index.ts'

/** What a post changes in the index; undefined of other events. */
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

/** Where a change comes from. */
export const decidedBy = (event: RecordedEvent): LastChange => ({
  position: event.position,
  event: placeOf(event),
})
