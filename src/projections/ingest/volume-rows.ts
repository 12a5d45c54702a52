import type { VolumeEvent } from '../../domain/ingest/volume/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { IngestTables } from './tables.ts'

/** Handlers for the claim of the process that gives out the room of a work volume. */
export const volumeHandlers: Handlers<VolumeEvent, IngestTables> = {
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
