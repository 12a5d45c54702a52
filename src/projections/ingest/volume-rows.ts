import type { VolumeEvent } from '../../domain/ingest/volume/events.ts'
import { idOf } from '../../domain/kernel/event.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { IngestTables } from './tables.ts'

/** Who gives out the room of a work volume. */
export const volumeHandlers: Handlers<VolumeEvent, IngestTables> = {
  StepClaimed: ({ state, holder, fence, deadline }, event, tables) =>
    tables['ingest-claims'].put({
      kind: 'volume',
      id: idOf(event.stream),
      state,
      holder,
      fence,
      since: event.recordedAt,
      deadline,
    }),
  ClaimExtended: ({ deadline }, event, tables) => {
    const claim = tables['ingest-claims'].get('volume', idOf(event.stream))
    if (claim) tables['ingest-claims'].put({ ...claim, deadline })
  },
  ClaimReleased: (_, event, tables) => tables['ingest-claims'].delete('volume', idOf(event.stream)),
  ClaimExpired: (_, event, tables) => tables['ingest-claims'].delete('volume', idOf(event.stream)),
}
