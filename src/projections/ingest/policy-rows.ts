import type { HoldEvent } from '../../domain/ingest/hold/events.ts'
import type { HousekeepingEvent } from '../../domain/ingest/housekeeping/events.ts'
import { scopeOf } from '../../domain/ingest/ids.ts'
import type { ProfileEvent } from '../../domain/ingest/profile/events.ts'
import { collectionOf, ownerOf } from '../../domain/ingest/profile/profile.ts'
import type { housekeeping } from '../../domain/ingest/views.ts'
import { idOf, type RecordedEvent } from '../../domain/kernel/event.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { IngestTables } from './tables.ts'

/* Handlers for people's decisions about all ingest: holds, profiles, housekeeping. */

/** A release of held jobs needs no handler: their own moves record it. */
export const holdHandlers: Handlers<HoldEvent, IngestTables> = {
  HoldSet: ({ reason, at }, event, tables) => {
    const id = idOf(event.stream)
    const scope = scopeOf(id)
    const collection = scope === 'all' ? null : scope.collection
    const { actor } = event.metadata
    tables['ingest-holds'].put({ scope: id, collection, reason, actor, since: at })
  },
  HoldReleased: (_, event, tables) => tables['ingest-holds'].delete(idOf(event.stream)),
}

export const profileHandlers: Handlers<ProfileEvent, IngestTables> = {
  ProfileSet: ({ profile, at }, _, tables) =>
    tables['ingest-profiles'].put({
      profile: profile.name,
      collection: collectionOf(profile),
      owner: ownerOf(profile),
      terms: profile,
      changedAt: at,
    }),
}

export const housekeepingHandlers: Handlers<HousekeepingEvent, IngestTables> = {
  SweepRequested: (data, event, tables) => tables['ingest-housekeeping'].put(request('batches', data, event)),
  CleaningRequested: (data, event, tables) =>
    tables['ingest-housekeeping'].put(request('folders', data, event)),
}

type Request = RowOf<typeof housekeeping>

const request = (
  what: Request['what'],
  { before, reason, at }: HousekeepingEvent['data'],
  { metadata }: RecordedEvent,
): Request => ({ what, before, reason, actor: metadata.actor, at })
