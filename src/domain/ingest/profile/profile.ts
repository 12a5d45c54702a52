import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { Text } from '../../kernel/codecs.ts'
import { CollectionName, Owner, ProfileName } from '../ids.ts'
import { PayloadUrl } from '../payload.ts'
import { MailAddresses } from '../submission.ts'

/** Two digits: the lower number goes first (C22). What lies outside is clamped. */
export const Priority = annotate(
  t.refinement(t.number, (n) => Number.isInteger(n) && n >= 0 && n <= 99, 'priority from 0 (first) to 99'),
  { type: 'integer', minimum: 0, maximum: 99 },
)

export const defaultPriority = 5

export const clampPriority = (priority: number): number => Math.min(99, Math.max(0, Math.trunc(priority)))

/** Which mails a depositor gets: all, all but "queued", none. */
export const Notifications = t.keyof({ all: null, partial: null, none: null }, 'notifications')

/** How submissions of one kind are taken in. Its batches keep what it said when they came. */
export const Profile = t.intersection(
  [
    t.type({ name: ProfileName }),
    t.partial({
      description: Text,
      /** What holds are set on; the profile's name where it is absent. Several profiles may share one. */
      collection: CollectionName,
      /** Whom the objects belong to: local ids are unique within. `none` where it is absent. */
      owner: Owner,
      /** ARKs of the collections that the objects become members of. */
      memberOf: t.array(Text),
      /** What kind of object, in the archive's own words. */
      objectType: Text,
      objectRole: Text,
      /** Name of the storage that takes the objects; the only one where it is absent. */
      storage: Text,
      /** Name of the minter, and the shoulder that it mints at: `ark:/99999/fk4`. */
      minter: Text,
      shoulder: Text,
      /** Told of batches, unless the submission names somebody else. */
      notifyTo: MailAddresses,
      notifications: Notifications,
      /** Start priority of its jobs. */
      priority: Priority,
      callback: PayloadUrl,
      /** `none`: no program is asked of which format the files are, whatever is set for all. */
      characterise: Text,
      /** Identifiers in the Dublin Core of a producer are not taken for local ids. */
      ignoreDcIdentifiers: t.boolean,
      context: Text,
    }),
  ],
  'profile',
)
export type Profile = t.TypeOf<typeof Profile>

/** There on an empty home. */
export const defaultProfile: Profile = { name: 'default', description: 'Whatever has no profile of its own.' }

export const collectionOf = ({ name, collection = name }: Profile): string => collection
export const ownerOf = ({ owner = 'none' }: Profile): string => owner
