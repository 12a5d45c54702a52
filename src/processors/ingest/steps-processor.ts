import { batchDecider } from '../../domain/ingest/batch/decide.ts'
import { dropDecider } from '../../domain/ingest/drop/decide.ts'
import { batchStream, dropStream, jobStream, objectStream } from '../../domain/ingest/ids.ts'
import { jobDecider } from '../../domain/ingest/job/decide.ts'
import type { JobChanges } from '../../domain/ingest/job/facts.ts'
import { recordedTopic } from '../../domain/ingest/messages.ts'
import { objectDecider } from '../../domain/ingest/object/decide.ts'
import { type DoneStep, type StepsDone, stepsTopic } from '../../domain/ingest/step-messages.ts'
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

/** Routes reports of workers, and of another inventory, to batches, jobs and objects. */
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
    case 'step.done': {
      const { state, result, ...of } = message.data
      return stepsDone({ ...of, steps: [{ state, result } as DoneStep] }, by)
    }
    case 'steps.done':
      return stepsDone(message.data, by)
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
    case 'drops.listed': {
      const { place, reason } = message.data
      return [routeTo(dropDecider, dropStream(place), { type: 'ReportDrops', reason, ...by })]
    }
    case 'object.compared': {
      const { object, ...compared } = message.data
      return [routeTo(objectDecider, objectStream(object), { type: 'CompareStorage', ...compared, ...by })]
    }
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

/** Routes the steps to their job. Records a stored version in its object, too, if the worker has not done so. */
const stepsDone = ({ job, fence, steps, release }: StepsDone, by: By): readonly Route[] => {
  const moves = steps.map(({ state, result }) => ({ state, changes: changesOf(result) }))
  const command = { type: 'CompleteSteps', fence, steps: moves, release, ...by } as const
  const stored = steps.flatMap(({ state, result }) => (state === 'storing' ? [result] : []))
  return [
    ...stored.flatMap(({ listed, object, ...version }) => {
      if (!listed || !object) return []
      const record = { type: 'RecordVersion', job, fence, listed, object, ...version, ...by } as const
      return [routeTo(objectDecider, objectStream(version.ark), record)]
    }),
    routeTo(jobDecider, jobStream(job), command),
  ]
}

const changesOf = (result: DoneStep['result']): JobChanges => {
  const { listed: _, object: __, ...changes } = result as JobChanges & { listed?: unknown; object?: unknown }
  return changes
}
