import * as t from 'io-ts'
import { Text, Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Engine, MediaType } from '../terms.ts'

/*
 * Streams: `researcher-<id>`, one a researcher. It is present while now < `presentUntil` and it has not left. It counts in
 * R while it is present, neither draining nor blocked, also when it is busy (L1).
 */

export const researcherEvents = eventSet(
  eventSpec(
    'ResearcherRegistered',
    'It is there and takes work, for the first time or again.',
    t.intersection([
      t.type({ presentUntil: Time, at: Time }),
      t.partial({ version: Text, engine: Engine, mediaTypes: t.array(MediaType) }),
    ]),
  ),
  eventSpec(
    'ResearcherBeat',
    'It is still there. Beats that tell little new are not kept.',
    t.type({ presentUntil: Time, at: Time }),
  ),
  eventSpec('ResearcherDraining', 'It takes nothing new.', t.type({ at: Time })),
  eventSpec(
    'ResearcherGone',
    'It left, or was silent for too long.',
    t.type({ because: t.keyof({ left: null, silent: null }), at: Time }),
  ),
  eventSpec(
    'ResearcherBlocked',
    'It gets no work until it is unblocked; what it reports is kept (X5).',
    t.type({ reason: Text, at: Time }),
  ),
  eventSpec('ResearcherUnblocked', 'It gets work again.', t.type({ reason: Text, at: Time })),
)
export type ResearcherEvent = EventsOf<typeof researcherEvents>
