import { localIdOf } from '../../domain/ingest/ids.ts'
import type { LocalIdEvent } from '../../domain/ingest/local-id/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { IngestTables } from './tables.ts'

/** Handlers for local ids: producers' names of objects. */
export const localIdHandlers: Handlers<LocalIdEvent, IngestTables> = {
  LocalIdClaimed: ({ job, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark: null, job, since: at }),
  LocalIdBound: ({ job, ark, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark, job, since: at }),
  LocalIdAdopted: ({ ark, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark, job: null, since: at }),
}

const keyOf = ({ stream }: RecordedEvent) => localIdOf(idOf(stream))
