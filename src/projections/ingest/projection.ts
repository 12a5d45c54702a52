import { batchEvents } from '../../domain/ingest/batch/events.ts'
import { dropEvents } from '../../domain/ingest/drop/events.ts'
import { holdEvents } from '../../domain/ingest/hold/events.ts'
import { housekeepingEvents } from '../../domain/ingest/housekeeping/events.ts'
import { categories, localIdOf } from '../../domain/ingest/ids.ts'
import { jobEvents } from '../../domain/ingest/job/events.ts'
import { type LocalIdEvent, localIdEvents } from '../../domain/ingest/local-id/events.ts'
import { objectEvents } from '../../domain/ingest/object/events.ts'
import { profileEvents } from '../../domain/ingest/profile/events.ts'
import { views } from '../../domain/ingest/views.ts'
import { type VolumeEvent, volumeEvents } from '../../domain/ingest/volume/events.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import { type Handlers, projection } from '../runtime/projection.ts'
import { batchHandlers } from './batch-rows.ts'
import { dropHandlers } from './drop-rows.ts'
import { jobHandlers } from './job-rows.ts'
import { objectHandlers } from './object-rows.ts'
import { holdHandlers, housekeepingHandlers, profileHandlers } from './policy-rows.ts'
import type { IngestTables } from './tables.ts'

/** Handlers for the claim of the process that gives out the room of a work volume. */
const volumeHandlers: Handlers<VolumeEvent, IngestTables> = {
  StepClaimed: ({ state, holder, fence, deadline, lock = null }, event, tables) =>
    tables['ingest-claims'].put({
      kind: 'volume',
      id: idOf(event.stream),
      state,
      holder,
      fence,
      since: event.recordedAt,
      deadline,
      lock,
    }),
  ClaimExtended: ({ deadline }, event, tables) => {
    const claim = tables['ingest-claims'].get('volume', idOf(event.stream))
    if (claim) tables['ingest-claims'].put({ ...claim, deadline })
  },
  ClaimReleased: ({ fence }, event, tables) => {
    const id = idOf(event.stream)
    if (tables['ingest-claims'].get('volume', id)?.fence === fence)
      tables['ingest-claims'].delete('volume', id)
  },
  ClaimExpired: (_, event, tables) => tables['ingest-claims'].delete('volume', idOf(event.stream)),
}

/** Handlers for local ids: producers' names of objects. */
const localIdHandlers: Handlers<LocalIdEvent, IngestTables> = {
  LocalIdClaimed: ({ job, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark: null, job, since: at }),
  LocalIdBound: ({ job, ark, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark, job, since: at }),
  LocalIdAdopted: ({ ark, at }, event, tables) =>
    tables['ingest-local-ids'].put({ ...keyOf(event), ark, job: null, since: at }),
}

const keyOf = ({ stream }: RecordedEvent) => localIdOf(idOf(stream))

/** Weight of an event: a row for each file. */
const weigh = ({ data }: RecordedEvent): number => {
  const { files, listed } = data as { readonly files?: unknown; readonly listed?: unknown }
  const list = Array.isArray(files) ? files : listed
  return 1 + (Array.isArray(list) ? list.length : 0)
}

/** One projection for all views of ingest, so that they always show the same moment. */
export const ingest = projection(
  {
    name: 'ingest',
    version: 14,
    description:
      'Batches, jobs and their queues, objects and what they are called, reports, holds, claims, places of drops.',
    views,
    storage: {
      'ingest-batches': { words: { column: 'title', are: 'words' } },
      'ingest-jobs': { words: { column: 'title', are: 'words' } },
      'ingest-objects': { words: { column: 'title', are: 'words' } },
      'ingest-files': { words: { column: 'path', are: 'file names' } },
    },
    weigh,
  },
  (on) => [
    on(categories.batch, batchEvents, batchHandlers),
    on(categories.job, jobEvents, jobHandlers),
    on(categories.object, objectEvents, objectHandlers),
    on(categories.localId, localIdEvents, localIdHandlers),
    on(categories.profile, profileEvents, profileHandlers),
    on(categories.hold, holdEvents, holdHandlers),
    on(categories.volume, volumeEvents, volumeHandlers),
    on(categories.housekeeping, housekeepingEvents, housekeepingHandlers),
    on(categories.drop, dropEvents, dropHandlers),
  ],
)
