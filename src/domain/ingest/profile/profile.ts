import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { Text } from '../../kernel/codecs.ts'
import { CollectionName, Owner, ProfileName } from '../ids.ts'
import { PayloadUrl } from '../payload.ts'
import { MailAddresses } from '../submission.ts'

/** Two digits: the lower number goes first (C22). Values out of range are clamped. */
export const Priority = annotate(
  t.refinement(t.number, (n) => Number.isInteger(n) && n >= 0 && n <= 99, 'priority from 0 (first) to 99'),
  { type: 'integer', minimum: 0, maximum: 99 },
)

export const defaultPriority = 5

export const clampPriority = (priority: number): number => Math.min(99, Math.max(0, Math.trunc(priority)))

/** Mails that a depositor gets: all, all but "queued", none. */
export const Notifications = t.keyof({ all: null, partial: null, none: null }, 'notifications')

/** Rules for the ingest of submissions of one kind. A batch keeps the profile of the time of its submission. */
export const Profile = t.intersection(
  [
    t.type({ name: ProfileName }),
    t.partial({
      description: Text,
      /** Scope of holds; the profile's name if it is absent. Several profiles may share one. */
      collection: CollectionName,
      /** Owner of the objects: local ids are unique within it. `none` if it is absent. */
      owner: Owner,
      /** ARKs of the collections that the objects become members of. */
      memberOf: t.array(Text),
      /** Kind of object, in the archive's own terms. */
      objectType: Text,
      objectRole: Text,
      /** Name of the storage of the objects; the only one if it is absent. */
      storage: Text,
      /** Name of the minter, and the shoulder that it mints at: `ark:/99999/fk4`. */
      minter: Text,
      shoulder: Text,
      /** Notified about batches, unless the submission names other recipients. */
      notifyTo: MailAddresses,
      notifications: Notifications,
      /** Start priority of its jobs. */
      priority: Priority,
      callback: PayloadUrl,
      /** `none`: no program identifies the format of the files, whatever is set for all. */
      characterise: Text,
      /** Identifiers in the Dublin Core of a producer are not used as local ids. */
      ignoreDcIdentifiers: t.boolean,
      context: Text,
    }),
  ],
  'profile',
)
export type Profile = t.TypeOf<typeof Profile>

/** Exists in an empty home. */
export const defaultProfile: Profile = { name: 'default', description: 'Whatever has no profile of its own.' }

export const collectionOf = ({ name, collection = name }: Profile): string => collection
export const ownerOf = ({ owner = 'none' }: Profile): string => owner
