import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'

/* Streams: `ingestDrop-s3://<bucket>/<prefix>`: a place where depositors put what is to be taken in. */

export const dropEvents = eventSet(
  eventSpec(
    'DropsSighted',
    'The storage notified of new objects: it is to be listed soon.',
    t.type({ at: Time }),
  ),
  eventSpec(
    'DropsRefused',
    'Something there cannot be taken in, or it cannot be read.',
    t.type({ reason: Text, at: Time }),
  ),
  eventSpec('DropsAccepted', 'All that is there can be taken in again.', t.type({ at: Time })),
)

export type DropEvent = EventsOf<typeof dropEvents>
