import type { DatabaseSync } from 'node:sqlite'
import type { StreamMetadata } from '../../../src/ports/event-store.ts'
import { query } from '../../sqlite/query.ts'
import { createRowDecoder } from './event-row.ts'
import { createLogReader } from './read-log.ts'
import { createStreamReader } from './read-stream.ts'
import { createMetadataReader } from './stream-metadata.ts'
import { createStreamFinder, keepsAll, tombstoned } from './streams.ts'

export type EventReader = ReturnType<typeof createEventReader>

export const createEventReader = (db: DatabaseSync) => {
  const toEvent = createRowDecoder()
  const findStream = createStreamFinder(db)
  const metadataOf = createMetadataReader(db)
  const logIdentity = query<[id: string]>(db, 'SELECT id FROM log_identity')
  return {
    ...createLogReader(db, toEvent),
    read: createStreamReader(db, toEvent),
    identity: (): string => logIdentity.get()![0],
    /** As it was written; where only `keepLatest` was asked for, that. A tombstoned stream has none. */
    metadata: (name: string): StreamMetadata => {
      const json = metadataOf(name)
      const { maxCount = null, state } = findStream(name) ?? {}
      if (state === tombstoned) return {}
      const kept = maxCount === null || maxCount === keepsAll ? {} : { $maxCount: maxCount }
      return typeof json === 'object' && json !== null ? { ...kept, ...json } : kept
    },
  }
}
