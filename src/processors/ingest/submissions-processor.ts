import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ifDeleted, orThrow } from '../../async/unavailable.ts'
import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { holdDecider } from '../../domain/ingest/hold/decide.ts'
import { batchStream, holdStream, profileStream } from '../../domain/ingest/ids.ts'
import { profilesTopic, submissionsTopic } from '../../domain/ingest/messages.ts'
import { profileDecider } from '../../domain/ingest/profile/decide.ts'
import { collectionOf, defaultProfile, type Profile } from '../../domain/ingest/profile/profile.ts'
import type { MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'
import type { StreamStates } from '../runtime/stream-states.ts'

type SubmissionMessage = MessagesOf<typeof submissionsTopic | typeof profilesTopic>

/**
 * Routes submissions as commands that open batches, with the profile as it is now; and profiles and their holds to
 * their own streams.
 */
export const submissionsProcessor = (states: StreamStates, clock: Clock): Processor => ({
  name: 'fonds.ingest.submissions',
  topics: [submissionsTopic, profilesTopic],
  route: (messages) =>
    Promise.all(messages.map((message) => routesOf(message as SubmissionMessage, states, clock))),
})

const routesOf = async (
  message: SubmissionMessage,
  states: StreamStates,
  clock: Clock,
): Promise<readonly Route[]> => {
  const by = { actor: message.source, at: earlier(message.time, clock.now()) }
  switch (message.type) {
    case 'batch.submitted': {
      const { batch, ...given } = message.data
      const submission = message.foreign ? { ...given, foreign: true } : given
      const profile = await profileNamed(submission.profile, states)
      return [routeTo(batchDecider, batchStream(batch), { type: 'SubmitBatch', submission, profile, ...by })]
    }
    case 'profile.set': {
      const { hold, ...profile } = message.data
      const set = routeTo(profileDecider, profileStream(profile.name), { type: 'SetProfile', profile, ...by })
      if (hold === undefined) return [set]
      const stream = holdStream({ collection: collectionOf(profile) })
      return [set, routeTo(holdDecider, stream, { type: 'SetHold', reason: hold, ...by })]
    }
  }
}

/** Undefined if there is none. The default profile exists before anybody sets it. */
export const profileNamed = (name: string, states: StreamStates): Promise<Profile | undefined> =>
  pipe(
    () => states.load(profileDecider, profileStream(name)),
    TE.map(({ state }) => state ?? (name === defaultProfile.name ? defaultProfile : undefined)),
    ifDeleted<Profile | undefined>(undefined),
    orThrow,
  )
