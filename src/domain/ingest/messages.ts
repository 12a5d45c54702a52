import * as t from 'io-ts'
import { PositiveInteger, Text } from '../kernel/codecs.ts'
import { messageSpec, type TopicSpec } from '../kernel/message.ts'
import { Ark } from './ark.ts'
import { BatchId, JobNumber } from './ids.ts'
import { Profile } from './profile/profile.ts'
import { stepsTopic } from './step-messages.ts'
import { Submission } from './submission.ts'

const BatchSubmitted = t.intersection([t.type({ batch: BatchId }), Submission], 'batch.submitted')

const ProfileSet = t.intersection(
  [
    Profile,
    /** Reason of the hold that is set on its collection; a hold is released by a person. */
    t.partial({ hold: Text }),
  ],
  'profile.set',
)

const recorded = { job: JobNumber, ark: Ark, version: PositiveInteger }
const ObjectRecorded = t.type(recorded, 'object.recorded')
const ObjectRejected = t.type({ ...recorded, message: Text }, 'object.rejected')

export const submissionsTopic = {
  name: 'fonds.ingest.submissions',
  description: 'What depositors hand in.',
  messages: [
    messageSpec(
      'batch.submitted',
      'A payload was submitted; its objects are to be taken in.',
      BatchSubmitted,
      {
        batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
        profile: 'default',
        submitter: 'depositor@example.org',
        payload: { url: 'https://host.example/letters.checkm', type: 'batch-manifest' },
        mode: 'add',
        localIds: [],
        description: { who: 'Ada Example', what: 'Letters', when: '1912' },
      },
      ['submitter', 'notifyTo'],
    ),
  ],
  keyOf: (data) => (data as t.TypeOf<typeof BatchSubmitted>).batch,
} as const satisfies TopicSpec

export const profilesTopic = {
  name: 'fonds.ingest.profiles',
  description: 'Profiles: how the submissions of a collection are taken in.',
  messages: [
    messageSpec(
      'profile.set',
      'How submissions of this profile are taken in from now on.',
      ProfileSet,
      {
        name: 'letters',
        collection: 'letters',
        owner: 'ark:/99999/fk4owner',
        notifyTo: ['curator@example.org'],
        notifications: 'all',
        priority: 5,
      },
      ['notifyTo', 'hold'],
    ),
  ],
  keyOf: (data) => (data as t.TypeOf<typeof ProfileSet>).name,
} as const satisfies TopicSpec

export const recordedTopic = {
  name: 'fonds.ingest.recorded',
  description: 'What an inventory, where it is another system, says of stored versions.',
  messages: [
    messageSpec('object.recorded', 'The inventory answers with the version.', ObjectRecorded, {
      job: 12,
      ark: 'ark:/99999/fk4abc',
      version: 1,
    }),
    messageSpec('object.rejected', 'The inventory could not take the version.', ObjectRejected, {
      job: 12,
      ark: 'ark:/99999/fk4abc',
      version: 1,
      message: 'the owner is not known there',
    }),
  ],
  keyOf: (data) => `job/${(data as t.TypeOf<typeof ObjectRecorded>).job}`,
} as const satisfies TopicSpec

const called = t.type(
  {
    job: JobNumber,
    batch: BatchId,
    callback: Text,
    /** HTTP status of the answer; 0 if there was none. */
    status: t.number,
    ok: t.boolean,
  },
  'callback.made',
)

export const callbacksTopic = {
  name: 'fonds.ingest.callbacks',
  description: 'Each callback that was made, and how it was answered.',
  madeBy: 'fonds',
  messages: [
    messageSpec('callback.made', 'A depositor was told of a job.', called, {
      job: 12,
      batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
      callback: 'https://host.example/done/mc/12',
      status: 200,
      ok: true,
    }),
  ],
  keyOf: (data) => `job/${(data as t.TypeOf<typeof called>).job}`,
} as const satisfies TopicSpec

export const topics: readonly TopicSpec[] = [
  submissionsTopic,
  profilesTopic,
  stepsTopic,
  recordedTopic,
  callbacksTopic,
]
