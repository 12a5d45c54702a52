import type { DropEvent } from '../../domain/ingest/drop/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { DropRow, IngestTables } from './tables.ts'

export const dropHandlers: Handlers<DropEvent, IngestTables> = {
  DropsSighted: ({ at }, event, tables) => change(tables, event, { sightedAt: at }),
  DropsRefused: ({ reason, at }, event, tables) => change(tables, event, { reason, since: at }),
  DropsAccepted: (_, event, tables) => change(tables, event, { reason: null, since: null }),
}

const change = (tables: IngestTables, { stream }: RecordedEvent, changes: Partial<DropRow>): void => {
  const place = idOf(stream)
  const row = tables['ingest-drops'].get(place) ?? { place, sightedAt: null, reason: null, since: null }
  tables['ingest-drops'].put({ ...row, ...changes })
}
