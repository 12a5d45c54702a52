import * as t from 'io-ts'
import { annotate } from '../../kernel/annotation.ts'
import { NonNegativeInteger, PositiveInteger, Text } from '../../kernel/codecs.ts'
import { EmbargoWord } from '../../kernel/embargo.ts'
import { Ark } from '../ark.ts'
import { BatchId, CollectionName, JobNumber, LocalId, Owner, ProfileName } from '../ids.ts'
import { Description, Mode, ObjectPayload, PayloadUrl } from '../payload.ts'
import { Priority } from '../profile/profile.ts'
import { Site } from '../site.ts'

/** The facts that a job is created with. */
export const JobFacts = t.intersection(
  [
    t.type({
      batch: BatchId,
      batchNumber: PositiveInteger,
      job: JobNumber,
      /** Position in its batch, from 0. */
      index: NonNegativeInteger,
      profile: ProfileName,
      collection: CollectionName,
      owner: Owner,
      submitter: Text,
      payload: ObjectPayload,
      mode: Mode,
      localIds: t.array(LocalId),
      priority: Priority,
    }),
    t.partial({
      primary: Ark,
      description: Description,
      callback: PayloadUrl,
      /** From its submission. */
      foreign: t.boolean,
      /** From its submission. */
      site: Site,
      /** The submission named the callback, and not its profile. */
      foreignCallback: t.boolean,
    }),
  ],
  'job facts',
)
export type JobFacts = t.TypeOf<typeof JobFacts>

export const maxWarnings = 10
export const maxWarningLength = 1000

/** Sentences on what of a payload is not in its version: empty folders, names that deleted nothing. */
export const Warnings = annotate(
  t.refinement(
    t.array(Text),
    (list) => list.length <= maxWarnings,
    `list of at most ${maxWarnings} sentences`,
  ),
  { maxItems: maxWarnings },
)

/** The fields that a move may change. */
export const JobChanges = t.partial(
  {
    /** Bytes of its files; 0 if the size is unknown. */
    spaceNeeded: NonNegativeInteger,
    /** Bytes of them that come to the work volume; absent: all. */
    workBytes: NonNegativeInteger,
    sizeKnown: t.boolean,
    priority: Priority,
    ark: Ark,
    localIds: t.array(LocalId),
    description: Description,
    /** As the files of the depositor say. */
    embargoUntil: EmbargoWord,
    version: PositiveInteger,
    inventoryDigest: Text,
    /** The work folder that has room for its files, or has them. */
    site: Site,
    /** Number of files of the stored version. */
    files: NonNegativeInteger,
    bytes: NonNegativeInteger,
    warnings: Warnings,
  },
  'job changes',
)
export type JobChanges = t.TypeOf<typeof JobChanges>
