import { type EventsOf, eventSet } from '../../kernel/event-set.ts'
import { claimEvents } from '../claim.ts'

/* Streams: `ingestVolume-<name>`, one a work volume: who gives out its room. */

export const volumeEvents = eventSet(...claimEvents)

export type VolumeEvent = EventsOf<typeof volumeEvents>
