import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { endAnomaly, noteAnomaly } from './anomaly-rows.ts'
import type { ResearchTables, Subject } from './tables.ts'

/** An episode or clip gets other media; `from` is null if it had none, `to` if it has none any more. */
interface MediaMove {
  readonly subject: Subject
  readonly id: string
  readonly from: string | null
  readonly to: string | null
  readonly at: string
}

/** X17: of episodes or clips with the same media, all but the first are listed as duplicates. */
export const moveMedia = (tables: ResearchTables, event: RecordedEvent, move: MediaMove): void => {
  const { subject, id, from, to, at } = move
  if (from === to) return
  if (from !== null) leave(tables, event, subject, id, from, at)
  if (to === null) return
  const ids = idsOf(tables, subject, to)
  tables['research-media'].put({ subject, uri: to, ids: [...ids, id] })
  const [first] = ids
  if (first !== undefined) noteDuplicate(tables, event, subject, id, first, to, at)
}

const idsOf = (tables: ResearchTables, subject: Subject, uri: string): readonly string[] =>
  tables['research-media'].get(subject, uri)?.ids ?? []

const leave = (
  tables: ResearchTables,
  event: RecordedEvent,
  subject: Subject,
  id: string,
  uri: string,
  at: string,
): void => {
  const before = idsOf(tables, subject, uri)
  const ids = before.filter((one) => one !== id)
  if (ids.length === 0) tables['research-media'].delete(subject, uri)
  else tables['research-media'].put({ subject, uri, ids })
  endAnomaly(tables, 'duplicate-media', subject, id)
  const [first, ...others] = ids
  if (first === undefined || before[0] !== id) return
  // The next one becomes the first: the others are its duplicates.
  for (const other of ids) endAnomaly(tables, 'duplicate-media', subject, other)
  for (const other of others) noteDuplicate(tables, event, subject, other, first, uri, at)
}

const noteDuplicate = (
  tables: ResearchTables,
  event: RecordedEvent,
  subject: Subject,
  id: string,
  first: string,
  uri: string,
  at: string,
): void =>
  noteAnomaly(tables, event, {
    kind: 'duplicate-media',
    [subject]: id,
    at,
    says: `The ${subject} ${id} has the same media as ${first} (${uri}), so it is all researched twice; withdraw one of them, or have the curator mend the address.`,
  })
