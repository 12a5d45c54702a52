import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { batchStream, jobStream, objectStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import type { JobChanges } from '../../domain/ingest/job/facts.ts'
import { recordedTopic } from '../../domain/ingest/messages.ts'
import { objectDecider } from '../../domain/ingest/object/decide.ts'
import { type StepDone, stepsTopic } from '../../domain/ingest/step-messages.ts'
import type { MessagesOf } from '../../domain/kernel/message.ts'
import { earlier } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processor, Route } from '../runtime/processor.ts'
import { routeTo } from '../runtime/route.ts'

type StepMessage = MessagesOf<typeof stepsTopic | typeof recordedTopic>

interface By {
  readonly actor: string
  readonly at: string
}

/** What workers did, and what another inventory says, moves batches and jobs along. */
export const stepsProcessor = (clock: Clock): Processor => ({
  name: 'fonds.ingest.steps',
  topics: [stepsTopic, recordedTopic],
  route: async (messages) =>
    messages.map((message) => {
      const { source, time } = message
      return routesOf(message as StepMessage, { actor: source, at: earlier(time, clock.now()) })
    }),
})

const routesOf = (message: StepMessage, by: By): readonly Route[] => {
  switch (message.type) {
    case 'objects.listed': {
      const { batch, ...listed } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'ListObjects', ...listed, ...by })]
    }
    case 'batch.opened': {
      const { batch, type: payloadType, ...read } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'EndListing', payloadType, ...read, ...by })]
    }
    case 'batch.failed': {
      const { batch, ...failed } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'FailPayload', ...failed, ...by })]
    }
    case 'batch.reported': {
      const { batch, fence, failures = [] } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'SaveReport', fence, failures, ...by })]
    }
    case 'mail.sent': {
      const { batch, ...sent } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'RecordMail', ...sent, ...by })]
    }
    case 'mail.failed': {
      const { batch, ...failed } = message.data
      return [routeTo(batchDecider, batchStream(batch), { type: 'FailMail', ...failed, ...by })]
    }
    case 'step.done':
      return stepDone(message.data, by)
    case 'step.failed': {
      const { job, ...failed } = message.data
      return [routeTo(jobDecider, jobStream(job), { type: 'FailStep', ...failed, ...by })]
    }
    case 'files.listed': {
      const { ark, ...listed } = message.data
      return [routeTo(objectDecider, objectStream(ark), { type: 'ListFiles', ark, ...listed, ...by })]
    }
    case 'folder.cleaned':
      return [routeTo(jobDecider, jobStream(message.data.job), { type: 'NoteFolderCleaned', ...by })]
    case 'object.recorded': {
      const { job, version } = message.data
      const command = { type: 'CompleteStep', state: 'recording', changes: {}, version, ...by } as const
      return [routeTo(jobDecider, jobStream(job), command)]
    }
    case 'object.rejected': {
      const { job, version, message: reason } = message.data
      const command = { type: 'FailStep', state: 'recording', message: reason, version, ...by } as const
      return [routeTo(jobDecider, jobStream(job), command)]
    }
  }
}

/** A stored version is also told to its object. */
const stepDone = (done: StepDone, by: By): readonly Route[] => {
  const { job, fence, state, release } = done
  const step = (changes: JobChanges) =>
    routeTo(jobDecider, jobStream(job), { type: 'CompleteStep', state, fence, changes, release, ...by })
  if (done.state !== 'storing') return [step(done.result)]
  const { listed, object, ...stored } = done.result
  const { ark } = stored
  const version = { type: 'RecordVersion', job, fence, listed, object, ...stored, ...by } as const
  return [routeTo(objectDecider, objectStream(ark), version), step(stored)]
}
