import { sideBySide } from '../../async/side-by-side.ts'
import { orThrow } from '../../async/unavailable.ts'
import { saySame } from '../../domain/matching/canonical-json.ts'
import { type Held, heldOf, type Mark, mergedDecider } from '../../domain/matching/merged/decide.ts'
import { mergedStream } from '../../domain/matching/merged/events.ts'
import type { StreamStates } from '../runtime/stream-states.ts'
import type { ChangeReader } from './change-reader.ts'
import type { MergeTask } from './merge-task.ts'
import { worksNamedBetween } from './works-named-between.ts'

/** Documents of the works of a component, as JSON, by work. */
export type Contents = ReadonlyMap<string, string>

interface WritingQuestion {
  readonly task: MergeTask
  /** The component's last mark. */
  readonly mark: Mark
  /** The component's documents as they are to be. */
  readonly wanted: Contents
  /** Its documents after the mark, if this process wrote that mark; else undefined. */
  readonly known: Contents | undefined
  /** Components of up to this many works have no marks. */
  readonly maxWrittenWhole: number
}

const maxStreamsAtOnce = 50

/**
 * Returns the works of a component whose documents a merge writes; undefined: all of them. The mark holds all others from
 * then on. For each of these it must be certain that no older document can be written after it:
 *
 * - it was in the component at the mark before, and no other component held it since: an older message of another one may
 *   still arrive;
 * - the document that the merge of that mark was to write of it is written;
 * - its document is unchanged.
 *
 * Throws `UnavailableError`.
 */
export const worksToWrite = async (
  { task, mark, wanted, known, maxWrittenWhole }: WritingQuestion,
  changes: ChangeReader,
  states: StreamStates,
): Promise<ReadonlySet<string> | undefined> => {
  const { generation } = task
  const before = await membersAtMark(task, mark, changes)
  const elsewhere = before && (await worksNamedBetween(task, mark, wanted, maxWrittenWhole, changes))
  if (!elsewhere) return undefined

  const writtenThen = mark.written && new Set(mark.written)
  const works = new Set<string>()
  const asked: string[] = []
  for (const [work, content] of wanted)
    if (!before.has(work) || elsewhere.has(work)) works.add(work)
    else if (!known || !writtenThen || writtenThen.has(work)) asked.push(work)
    else if (!saySame(known.get(work) ?? 'null', content)) works.add(work)

  const isSame = (work: string, held: Held | undefined): boolean =>
    held !== undefined &&
    saySame(held.content, wanted.get(work)!) &&
    (held.version >= mark.version || (writtenThen !== undefined && !writtenThen.has(work)))
  await sideBySide(asked, maxStreamsAtOnce, async (work) => {
    const { state } = await orThrow(() => states.load(mergedDecider, mergedStream(work)))
    if (!isSame(work, heldOf(state, generation))) works.add(work)
  })
  return works
}

const membersAtMark = async (
  { generation, component }: MergeTask,
  { revision }: Mark,
  changes: ChangeReader,
): Promise<ReadonlySet<string> | undefined> => {
  const place = { generation, revision }
  const [change] = await changes.at([place])
  const members = change && (await changes.wholeComponent(place, change, component))
  return members && new Set(members.map(([work]) => work))
}
