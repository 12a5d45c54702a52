import * as E from 'fp-ts/lib/Either.js'
import { orThrow } from '../../../async/unavailable.ts'
import {
  category as batchCategory,
  batchEvents,
  type IntactItem,
} from '../../../domain/fixity/batch/events.ts'
import type { Checksum } from '../../../domain/fixity/checksum.ts'
import { type Evidence, events, type FixityEvent } from '../../../domain/fixity/events.ts'
import { type Item, itemStream } from '../../../domain/fixity/item.ts'
import { evolve, type ItemState, initial } from '../../../domain/fixity/state.ts'
import { categoryOf, type RecordedEvent } from '../../../domain/kernel/event.ts'
import type { EventStore } from '../../../ports/event-store.ts'
import { ProjectionStopped } from '../../runtime/projection.ts'

/** A decision about an item, with all that it was made from. */
export interface Decision {
  readonly position: bigint
  readonly observedAt: string
  readonly pattern: string
  readonly row: string
  readonly outcome: string
  readonly because: string
  /** The evidence, without what a batch does not record of a check. */
  readonly evidence: Omit<Evidence, 'index'> & { readonly index?: Evidence['index'] }
}

type Log = Pick<EventStore, 'read' | 'readAll'>

const pageSize = 200

/**
 * The last decision about an item: from its own stream, up to `revision`, or from the position of its last finished
 * check in the log (`checkedAt`), which may be an entry of a batch. Undefined if there is none. Throws
 * `UnavailableError`.
 */
export const lastDecision = async (
  log: Log,
  item: Item,
  revision: bigint,
  checkedAt: bigint | undefined,
): Promise<Decision | undefined> => {
  const own = await lastOfItsOwn(log, item, revision, checkedAt ?? -1n)
  if (own || checkedAt === undefined) return own
  const { events: found } = await orThrow(log.readAll(checkedAt - 1n, {}, 1))
  const [event] = found
  return event && categoryOf(event.stream) === batchCategory ? entryOf(log, item, event) : undefined
}

/** The last decision in the item's own stream, not older than the position `from` in the log. */
const lastOfItsOwn = async (
  log: Log,
  item: Item,
  revision: bigint,
  from: bigint,
): Promise<Decision | undefined> => {
  for (let at = revision; at >= 0n; ) {
    const page = await orThrow(log.read(itemStream(item), at, 'backward', pageSize))
    for (const event of page) {
      if (event.position < from) return undefined
      const { type, data } = readOwn(event)
      if (type !== 'FixityDecided') continue
      const { observedAt, pattern, row, outcome, because, evidence } = data
      return { position: event.position, observedAt, pattern, row, outcome, because, evidence }
    }
    const last = page.at(-1)
    if (!last) return undefined
    at = last.revision - 1n
  }
  return undefined
}

/**
 * The decision of a batch's entry: content was compared with the record that the item's stream had at the entry's
 * revision.
 */
const entryOf = async (log: Log, item: Item, event: RecordedEvent): Promise<Decision | undefined> => {
  const read = batchEvents.read(event)
  if (E.isLeft(read)) throw new ProjectionStopped('fixity', event, read.left)
  if (read.right.type !== 'BatchChecked') return undefined
  const { worker, intact } = read.right.data
  for (const { items, pattern, row, because } of intact) {
    const entry = items.find(({ path }) => path === item.path)
    if (!entry) continue
    const { audit } = await stateAt(log, item, BigInt(entry.revision))
    return {
      position: event.position,
      observedAt: entry.observedAt,
      pattern,
      row,
      outcome: 'success',
      because,
      evidence: {
        ...observationOf(entry, worker),
        audit: audit
          ? { ...audit.word, source: audit.source, heardAt: audit.heardAt }
          : { status: 'absent', source: 'audit log', heardAt: entry.observedAt },
      },
    }
  }
  return undefined
}

const observationOf = (
  { size, checksums, claims = {}, version, versionId, modifiedAt, observedAt }: IntactItem,
  source: string,
): Pick<Evidence, 'content' | 'storage'> => {
  const heard = { source, heardAt: observedAt }
  return {
    content: { status: 'read', size, checksums: listOf(checksums), ...heard },
    storage: {
      ...{ status: 'present', size, checksums: listOf(claims), version, modifiedAt },
      ...(versionId !== undefined && { versionId }),
      ...heard,
    },
  }
}

const listOf = (byAlgorithm: Readonly<Record<string, string>>): Checksum[] =>
  Object.entries(byAlgorithm).map(([algorithm, value]) => ({ algorithm, value }))

const stateAt = async (log: Log, item: Item, revision: bigint): Promise<ItemState> => {
  let state = initial
  for (let from = 0n; from <= revision; ) {
    const page = await orThrow(log.read(itemStream(item), from, 'forward', pageSize))
    for (const event of page) if (event.revision <= revision) state = evolve(state, readOwn(event))
    const last = page.at(-1)
    if (!last) break
    from = last.revision + 1n
  }
  return state
}

const readOwn = (event: RecordedEvent): FixityEvent => {
  const read = events.read(event)
  if (E.isLeft(read)) throw new ProjectionStopped('fixity', event, read.left)
  return read.right
}
