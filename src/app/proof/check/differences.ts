import { createHash, hash } from 'node:crypto'
import { type EventLeaf, eventEntry, leafName } from '../../../domain/kernel/proof/event-leaf.ts'
import { leafOf } from '../../../domain/kernel/proof/leaf-of.ts'
import type { StoredEvent } from '../../../domain/kernel/stored-event.ts'

/** A way in which the log is not what was sealed. */
export interface Difference {
  readonly kind: 'changed' | 'removed' | 'inserted' | 'moved'
  readonly stream: string
  readonly revision: bigint
  /** Leaf index; undefined for an event that was inserted. */
  readonly leaf: bigint | undefined
  /** SHA-256 in base64 of the entry that the event has now; absent if the log does not have it, or as it was sealed. */
  readonly now?: string
  /** A sentence without a full stop. */
  readonly says: string
}

/** SHA-256 in base64 of differences, in their order, and of what the log has in their places. */
export const differencesDigest = () => {
  const digest = createHash('sha256')
  let isFirst = true
  return {
    add: ({ kind, stream, revision, leaf, now }: Difference): void => {
      const line = JSON.stringify([kind, stream, `${revision}`, `${leaf ?? ''}`, now ?? ''])
      digest.update(isFirst ? line : `\n${line}`)
      isFirst = false
    },
    base64: (): string => digest.digest('base64'),
  }
}

const parts = {
  id: 'id',
  type: 'type',
  recordedAt: 'time of recording',
  data: 'data',
  metadata: 'metadata',
} as const

/** The parts of an event that its leaf has otherwise, in words; empty if there are none. */
export const changedParts = (event: StoredEvent, leaf: EventLeaf): readonly string[] => {
  const now = leafOf(event, leaf.previous)
  return (Object.keys(parts) as (keyof typeof parts)[])
    .filter((part) => now[part] !== leaf[part])
    .map((part) => parts[part])
}

export const changed = (leaf: EventLeaf, index: bigint, event: StoredEvent): Difference => {
  const what = changedParts(event, leaf)
  return {
    ...of(leaf, index, 'changed'),
    now: nowOf(event),
    says: `${placeOf(leaf)} is not what was sealed as leaf ${index}: its ${what.join(', ')} ${what.length === 1 ? 'was' : 'were'} changed`,
  }
}

export const removed = (leaf: EventLeaf, index: bigint): Difference => ({
  ...of(leaf, index, 'removed'),
  says: `${placeOf(leaf)} was sealed as leaf ${index}, and is not in the log`,
})

export const moved = (leaf: EventLeaf, index: bigint): Difference => ({
  ...of(leaf, index, 'moved'),
  says: `${placeOf(leaf)} stands in the log before events that were sealed before it: it is leaf ${index}`,
})

export const inserted = (event: StoredEvent): Difference => ({
  ...{ kind: 'inserted', stream: event.stream, revision: event.revision, leaf: undefined },
  now: nowOf(event),
  says: `${placeOf(event)} stands in the log before sealed events, and was not sealed`,
})

const nowOf = (event: StoredEvent): string => hash('sha256', eventEntry(leafOf(event, undefined)), 'base64')

const of = ({ stream, revision }: EventLeaf, index: bigint, kind: Difference['kind']) => ({
  ...{ kind, stream: leafName(stream), revision, leaf: index },
})

/** A revision of a stream, in words. */
export const placeOf = ({ stream, revision }: Pick<EventLeaf, 'stream' | 'revision'>): string =>
  `revision ${revision} of ${leafName(stream)}`
