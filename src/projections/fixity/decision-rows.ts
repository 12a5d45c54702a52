import type { Checksum } from '../../domain/fixity/checksum.ts'
import type { Evidence, FixityEvent } from '../../domain/fixity/events.ts'
import { isOfRecord, seenOf } from '../../domain/fixity/witness.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { changeFreedItem } from './item-rows.ts'
import { noteRead } from './read-rows.ts'
import type { FixityTables, ItemRow } from './tables.ts'

type Decision = Extract<FixityEvent, { type: 'FixityDecided' }>['data']

/** A run has ended, whatever it found. */
export const endOfRun = { attempts: 0, ownRun: 0, queue: 'low' } as const

/** Changes the item's row by a decision. Adds a row to the bit log if the decision ends a run. */
export const noteDecision = (tables: FixityTables, event: RecordedEvent, decision: Decision): void => {
  const { outcome, row, because, dueAt, observedAt } = decision
  const { storage, content } = decision.evidence
  const columns = {
    row,
    because,
    due: dueAt,
    parked: 0,
    link: decision.becameLink ? 1 : 0,
    ...(storage.status === 'present' && storage.isLink === false && { seenAsFile: 1 }),
  }
  const note = ({ store, size }: Pick<ItemRow, 'store' | 'size'>) =>
    noteRead(tables, event, store, { checks: 1, bytes: bytesRead(content, size) })
  if (outcome === 'retry' || outcome === 'deferred') {
    const row = changeFreedItem(tables, event, ({ attempts, suspect }) => ({
      ...columns,
      ownRun: 1,
      attempts: outcome === 'retry' ? attempts + 1 : attempts,
      suspect: outcome === 'retry' ? 1 : suspect,
    }))
    note(row)
    return
  }
  const checked = { ...columns, ...endOfRun, lastChecked: observedAt, suspect: 0 }
  if (outcome === 'nothing') {
    // An observer alone does not remove recorded content: it stays expected, and becomes late.
    const row = changeFreedItem(tables, event, ({ recordedAt, removed }) => ({
      ...checked,
      failedOn: null,
      ...(recordedAt === null ? { removed: 1, outcome: null } : { removed }),
    }))
    note(row)
    return
  }
  const { status } = content
  const { store, path, size } = changeFreedItem(
    tables,
    event,
    ({ lastVerified, lastAgreed, recordedAt, removed }) => ({
      ...checked,
      outcome,
      unread: status === 'not-attempted' ? 1 : 0,
      failedOn: outcome === 'failure' ? seenOf(decision.evidence) : null,
      baseline: isOfRecord(decision.evidence) ? 0 : 1,
      // Content found without a record is not removed.
      removed: recordedAt === null ? 0 : removed,
      lastVerified: outcome === 'success' && status === 'read' ? observedAt : lastVerified,
      lastAgreed: outcome === 'success' ? observedAt : lastAgreed,
      lateAfter: dueAt,
    }),
  )
  note({ store, size })
  // In the order of the view's columns: a row in another is copied.
  tables['fixity-bit-log'].put({
    store,
    path,
    at: observedAt,
    result: outcome.toUpperCase(),
    unread: outcome === 'success' && status === 'not-attempted' ? 1 : 0,
    because,
    row,
    pattern: decision.pattern,
    recorded: recordedText(decision.evidence),
    found: foundText(decision.evidence.content),
    position: Number(event.position),
  })
}

/** Content that changed while it was read counts with its recorded size: a part of it was read, perhaps several times. */
const bytesRead = (content: Evidence['content'], recorded: number | null): number => {
  if (content.status === 'read') return content.size
  return content.status === 'changing' ? (recorded ?? 0) : 0
}

export const digests = (checksums: readonly Checksum[]): string =>
  checksums.map(({ algorithm, value }) => `${algorithm}:${value}`).join(' ')

/** Our own record, and the record that the observer found, if that differs. */
const recordedText = ({ audit, observedAudit }: Evidence): string => {
  const own = wordText(audit)
  if (!observedAudit) return own
  const observed = wordText(observedAudit)
  return observed === own ? own : `${own}; by ${observedAudit.source}: ${observed}`
}

const wordText = (word: Evidence['audit']): string =>
  word.status === 'recorded' ? digests(word.checksums) || 'no checksum' : word.status

const foundText = (content: Evidence['content']): string =>
  content.status === 'read' ? digests(content.checksums) : content.status
