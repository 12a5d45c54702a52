import * as t from 'io-ts'
import { PositiveInteger, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Ark } from '../ark.ts'
import { JobNumber } from '../ids.ts'

/* Streams: `ingestLocalId-<owner>/<local id>`, one for each local id of an owner. */

const LocalIdClaimed = t.type({ job: JobNumber, fence: PositiveInteger, at: Time })
const LocalIdBound = t.type({ job: JobNumber, ark: Ark, at: Time })
const LocalIdAdopted = t.type({ ark: Ark, at: Time })

export const localIdEvents = eventSet(
  eventSpec('LocalIdClaimed', 'A job alone may find or mint the identifier for it.', LocalIdClaimed),
  eventSpec('LocalIdBound', 'The local id means this object.', LocalIdBound),
  eventSpec(
    'LocalIdAdopted',
    'The local id means this object, as a version that was adopted says.',
    LocalIdAdopted,
  ),
)

export type LocalIdEvent = EventsOf<typeof localIdEvents>
