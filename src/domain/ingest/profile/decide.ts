import * as E from 'fp-ts/lib/Either.js'
import type { Command, Decider } from '../../kernel/decider.ts'
import { categories } from '../ids.ts'
import type { IngestRejection } from '../rejection.ts'
import { type ProfileEvent, profileEvents } from './events.ts'
import type { Profile } from './profile.ts'

interface SetProfile extends Command {
  readonly type: 'SetProfile'
  readonly profile: Profile
}

export type ProfileCommand = SetProfile

/** Undefined until it is set. */
export type ProfileState = Profile | undefined

const evolve = (_: ProfileState, { data }: ProfileEvent): ProfileState => data.profile

const asText = (profile: Profile): string =>
  JSON.stringify(Object.entries(profile).toSorted(([one], [other]) => (one < other ? -1 : 1)))

/** How submissions of one kind are taken in. The same again is no event. */
export const profileDecider: Decider<ProfileState, ProfileCommand, ProfileEvent, IngestRejection> = {
  category: categories.profile,
  events: profileEvents,
  initial: undefined,
  evolve,
  decide: ({ profile, at }, state) =>
    E.right(
      state && asText(state) === asText(profile) ? [] : [{ type: 'ProfileSet', data: { profile, at } }],
    ),
}
