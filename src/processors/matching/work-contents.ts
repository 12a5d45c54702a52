import { setImmediate } from 'node:timers/promises'
import { sideBySide } from '../../async/side-by-side.ts'
import { rowsIfFolded } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { workEvents } from '../../domain/matching/events.ts'
import type { MergeWork } from '../../domain/matching/merged/target.ts'
import { works } from '../../domain/matching/views.ts'
import { workStream } from '../../domain/matching/work.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { readStream } from './read-stream.ts'
import { notInTheLog } from './verified-group.ts'

export interface ContentSources {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly eventStore: Pick<EventStore, 'read'>
}

/** Rows of one query: other work may use the processor before the next. */
const rowBatchSize = 500
const maxStreamsAtOnce = 50
/** The latest description is nearly always the last event, or the one before it. */
const eventBatchSize = 4

/**
 * Reads the works, each at the wanted revision or a later one: from the view, which is fast, and from the log if the
 * view lags. So no merge waits for the view, which may be busy with a graph of a hundred thousand works. A later
 * revision is as good: its own change is still to come. Throws `UnavailableError`, `InvalidMessageError`.
 */
export const readContents = async (
  wanted: ReadonlyMap<string, number>,
  { viewStore, eventStore }: ContentSources,
): Promise<ReadonlyMap<string, MergeWork>> => {
  const contents = new Map<string, MergeWork>()
  const ids = [...wanted.keys()]
  for (let from = 0; from < ids.length; from += rowBatchSize) {
    if (from > 0) await setImmediate()
    const value = ids.slice(from, from + rowBatchSize)
    for (const row of rowsIfFolded(viewStore, works, { where: [{ column: 'work', is: 'in', value }] }))
      if ((row.revision ?? -1) >= wanted.get(row.work)!) contents.set(row.work, mergeWorkOf(row))
  }
  const missing = ids.filter((work) => !contents.has(work))
  await sideBySide(missing, maxStreamsAtOnce, async (work) =>
    contents.set(work, await latestDescription(work, eventStore)),
  )
  return contents
}

const mergeWorkOf = ({ work, source, state, title, fields }: RowOf<typeof works>): MergeWork => ({
  id: work,
  source: source ?? '',
  state,
  ...(title !== null && { title }),
  ...(fields !== null && { fields }),
})

/** The last description of a work in the log, read backward from `from`. */
const latestDescription = async (
  work: string,
  eventStore: Pick<EventStore, 'read'>,
  from: bigint | 'end' = 'end',
): Promise<MergeWork> => {
  const stream = workStream(work)
  const events = await readStream(eventStore, stream, from, 'backward', eventBatchSize)
  for (const recorded of events) {
    const { type, data } = readOrStop(workEvents, recorded)
    if (type !== 'WorkObserved' && type !== 'WorkCorrected') continue
    const { source, state, title, fields } = data
    return { id: work, source, state, title, fields }
  }
  const last = events.at(-1)
  if (!last || last.revision === 0n) throw notInTheLog(`${stream} is missing from the log`, 'members')
  return latestDescription(work, eventStore, last.revision - 1n)
}
