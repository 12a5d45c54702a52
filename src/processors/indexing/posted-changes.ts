import type { PostedLines } from '../../domain/indexing/posts/events.ts'
import { postsCategory } from '../../domain/indexing/posts/events.ts'
import { categoryOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { IndexChange } from '../../ports/capture-index.ts'

/** What a post changes in the index; undefined of other events. */
export const postedChange = ({ type, stream, position, data }: RecordedEvent): IndexChange | undefined => {
  if (categoryOf(stream) !== postsCategory) return undefined
  const { run, lines, digest } = data as PostedLines
  return {
    kind: type === 'LinesPosted' ? 'add' : 'remove',
    run: { ...run, lines, sha256: digest },
    position,
  }
}
