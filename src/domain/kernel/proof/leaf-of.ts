import { hash } from 'node:crypto'
import { isLeaderEvent } from '../leader-lease.ts'
import type { StoredEvent } from '../stored-event.ts'
import type { EventLeaf } from './event-leaf.ts'
import { ownMetadata } from './own-metadata.ts'

/** True for events that the tree holds: all but those about processes and a server's own, which copies leave out. */
export const isLeaf = ({ stream, type }: Pick<StoredEvent, 'stream' | 'type'>): boolean =>
  !isLeaderEvent({ stream }) && !stream.startsWith('$') && !type.startsWith('$')

/** Where an event stands in a log, and how its data are declared, is in no leaf. */
type Sealable = Omit<StoredEvent, 'position' | 'isJson'> & Partial<StoredEvent>

/** The leaf of a stored event. `previous`: leaf index of the event before it in its stream. */
export const leafOf = (event: Sealable, previous: bigint | undefined): EventLeaf => ({
  stream: event.stream,
  revision: event.revision,
  id: event.id,
  type: event.type,
  recordedAt: event.recordedAt,
  data: hash('sha256', event.data, 'base64'),
  metadata: hash('sha256', ownMetadata(event), 'base64'),
  previous,
})
