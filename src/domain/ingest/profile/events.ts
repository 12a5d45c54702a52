import * as t from 'io-ts'
import { Time } from '../../kernel/codecs.ts'
import { type EventsOf, eventSet, eventSpec } from '../../kernel/event-set.ts'
import { Profile } from './profile.ts'

/* Streams: `ingestProfile-<name>`, one a profile. */

const ProfileSet = t.type({ profile: Profile, at: Time })

export const profileEvents = eventSet(
  eventSpec('ProfileSet', 'How submissions of this profile are taken in from now on.', ProfileSet),
)

export type ProfileEvent = EventsOf<typeof profileEvents>
