import type { PostedLines } from '../../domain/indexing/posts/events.ts'
import { postsCategory } from '../../domain/indexing/posts/events.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { placeOf } from '../../domain/kernel/event-place.ts'
import type { IndexChange } from '../../ports/capture-index.ts'

/** What a post changes in the index; undefined of other events. */
export const postedChange = (event: RecordedEvent): IndexChange | undefined => {
  const { type, stream, position, data } = event
  if (categoryOf(stream) !== postsCategory) return undefined
  const { run, lines, digest } = data as PostedLines
  return {
    kind: type === 'LinesPosted' ? 'add' : 'remove',
    run: { ...run, lines, sha256: digest },
    position,
    event: placeOf(event),
  }
}
