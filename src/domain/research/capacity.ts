import * as t from 'io-ts'
import { NonNegativeInteger, Time } from '../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../kernel/event-set.ts'

/** Stream: `capacity-research`. */
export const capacityEvents = eventSet(
  eventSpec(
    'CapacityAssessed',
    'One run of the assigner that added items, or ended otherwise than the one before.',
    t.type({
      /** R and Q of its last assessment (L1, L2). */
      researchers: NonNegativeInteger,
      queued: NonNegativeInteger,
      added: NonNegativeInteger,
      /** Why it stopped. */
      stopped: t.keyof({ surplus: null, 'no-researchers': null, 'no-work': null, paused: null }),
      at: Time,
    }),
  ),
)
export type CapacityEvent = EventsOf<typeof capacityEvents>

/** R and Q (L1, L2): researchers that are present, items that can be taken. */
export interface Readings {
  readonly researchers: number
  readonly queued: number
}

type Capacity =
  | { readonly add: true }
  | { readonly add: false; readonly stopped: 'surplus' | 'no-researchers' }

/** One assessment (L3 to L6): add one more item, or stop. */
export const assess = ({ researchers, queued }: Readings): Capacity => {
  if (researchers === 0) return queued === 0 ? { add: true } : { add: false, stopped: 'no-researchers' }
  return researchers - queued >= 0 ? { add: true } : { add: false, stopped: 'surplus' }
}
