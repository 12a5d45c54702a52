import { type EventsOf, eventSet } from '../../kernel/event-set.ts'
import { stepClaimEvents } from '../claim.ts'

/* Streams: `ingestVolume-<name>`, one a work volume: who gives out its room. */

export const volumeEvents = eventSet(...stepClaimEvents)

export type VolumeEvent = EventsOf<typeof volumeEvents>
