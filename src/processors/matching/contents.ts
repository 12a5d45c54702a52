import { setImmediate } from 'node:timers/promises'
import { isLeft } from 'fp-ts/lib/Either.js'
import { workEvents } from '../../domain/matching/events.ts'
import type { MergeWork } from '../../domain/matching/merged/target.ts'
import { workStream } from '../../domain/matching/work.ts'
import { Away } from '../../ports/away.ts'
import type { EventStore } from '../../ports/event-store.ts'
import { type Row, ViewQueryError, type ViewStore } from '../../ports/view-store.ts'
import { readOrStop } from '../runtime/read-or-stop.ts'
import { sideBySide } from '../runtime/side-by-side.ts'
import { unbelieved } from './believe.ts'

export interface ContentSources {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly eventStore: Pick<EventStore, 'read'>
}

/** Rows read before others get their turn. */
const rowsAtOnce = 500
const streamsAtOnce = 50
/** The last word of a source is nearly always the last event, or the one before it. */
const eventsAtOnce = 4

const view = 'matching-works'

/**
 * The works, each at least at the revision asked for: as the view has them, which is quick, and as the log has them where
 * the view has not come so far. So it is never waited for: it may be busy with a graph of a hundred thousand works.
 * Newer is as good: what made it newer has a change of its own to come. Throws `Away`, `UnusableMessage`.
 */
export const readContents = async (
  wanted: ReadonlyMap<string, number>,
  { viewStore, eventStore }: ContentSources,
): Promise<ReadonlyMap<string, MergeWork>> => {
  const contents = new Map<string, MergeWork>()
  const missing: string[] = []
  let looked = 0
  for (const [work, revision] of wanted) {
    if (++looked % rowsAtOnce === 0) await setImmediate()
    const row = rowOf(work, viewStore)
    if (row && (row.revision as number) >= revision) contents.set(work, workIn(row))
    else missing.push(work)
  }
  await sideBySide(missing, streamsAtOnce, async (work) =>
    contents.set(work, await lastWord(work, eventStore)),
  )
  return contents
}

const rowOf = (work: string, viewStore: Pick<ViewStore, 'query'>): Row | undefined => {
  try {
    return viewStore.query(view, { where: [{ column: 'work', is: '=', value: work }] })[0]
  } catch (error) {
    // There is no such view, yet or for a moment.
    if (error instanceof ViewQueryError) return undefined
    throw error
  }
}

const workIn = ({ work, source, state, title, fields }: Row): MergeWork => ({
  id: work as string,
  source: source as string,
  state: state as MergeWork['state'],
  ...(title !== null && { title: title as string }),
  ...(fields !== null && { fields: fields as NonNullable<MergeWork['fields']> }),
})

/** What a source said of it last, by the log: read backward from there. */
const lastWord = async (
  work: string,
  eventStore: Pick<EventStore, 'read'>,
  from: bigint | 'end' = 'end',
): Promise<MergeWork> => {
  const stream = workStream(work)
  const page = await eventStore.read(stream, from, 'backward', eventsAtOnce)()
  if (isLeft(page) && page.left.kind === 'Unavailable') throw new Away(page.left.reason)
  const events = isLeft(page) ? [] : page.right
  for (const recorded of events) {
    const { type, data } = readOrStop(workEvents, recorded)
    if (type !== 'WorkObserved' && type !== 'WorkCorrected') continue
    const { source, state, title, fields } = data
    return { id: work, source, state, title, fields }
  }
  const last = events.at(-1)
  if (!last || last.revision === 0n) throw unbelieved(`${stream} is gone from the log`, 'members')
  return lastWord(work, eventStore, last.revision - 1n)
}
