import { left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { JobNumber } from '../../../domain/ingest/ids.ts'
import { JobChanges, JobFacts } from '../../../domain/ingest/job/facts.ts'
import { Priority } from '../../../domain/ingest/profile/profile.ts'
import { anySpelling } from '../../../domain/ingest/spelling.ts'
import { WorkState } from '../../../domain/ingest/transitions.ts'
import { NonNegativeInteger, PositiveInteger, Text, Time } from '../../../domain/kernel/codecs.ts'
import { idCodec } from '../../../domain/kernel/id.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { keepStep, takeStep } from '../../../processors/ingest/steps-for-others.ts'
import { ingest } from '../../../projections/ingest/projection.ts'
import { sitesOf } from '../../../workers/ingest/ingester-context.ts'
import { taskOffer } from '../../task-offer.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import type { IngestConfig } from '../settings.ts'

const StepTask = t.type(
  {
    job: JobNumber,
    /** Fence of the claim: each report carries it. */
    fence: PositiveInteger,
    state: WorkState,
    /** End of the claim. */
    deadline: Time,
    /** Folder of its files, below the folder that all workers share. */
    folder: Text,
    facts: JobFacts,
    /** Results of earlier steps. */
    found: JobChanges,
    priority: Priority,
    /** Number of resumes by a person. */
    retries: NonNegativeInteger,
    /** Number of holders in a row that died in this step. Report this step before you begin the next if there are any. */
    deaths: NonNegativeInteger,
  },
  'step of a job',
)

/** Offers a step to a worker that is not ours: it reports as ours do. */
export const stepOffer = taskOffer({
  path: 'ingest/steps/take',
  operationId: 'takeStep',
  summary: 'Claims the next job that waits in a state, for a worker that is not ours.',
  description:
    'No two workers have one job. It is the first in the order of the queue; none is claimed while ingest is paused. ' +
    'Until the deadline the step is this worker’s; what it did goes to the topic `fonds.ingest.steps` with the job and ' +
    'the fence, as `step.done` (with `release`, or the job goes on to its next step under the same claim) or ' +
    '`step.failed`. Reports of a claim that is over are refused. A worker that says nothing gives the job back in the ' +
    'same state once the deadline has passed.',
  repeats:
    'Names this wish: sent again with the same key, a worker gets the same job for as long as it has it, as it stands ' +
    'now and with a later deadline; then another.',
  who: t.type({ worker: idCodec('worker', 100), state: anySpelling(WorkState) }),
  example: { worker: 'characteriser-1', state: 'processing' as const },
  task: StepTask,
  returns: 'The job, as it stands in this state.',
  none: {
    code: 'no-step',
    description: 'No job waits in this state, or all ingest is paused: ask again in a while.',
  },
  projection: ingest,
  take: async (context: WorkflowContext<IngestConfig>, { worker, state }, key) => {
    const deps = holder(context, key === undefined ? worker : `${worker} (${key})`)
    const step = (key === undefined ? undefined : await keepStep(deps)) ?? (await takeStep(state, deps))
    if (!step) return left({ message: `there is no job in ${state} for ${worker} now; ask again in a while` })
    const { task, deadline } = step
    return right({ ...task, deadline, folder: `${task.facts.batch}/${task.job}-${task.fence}` })
  },
})

const holder = (context: WorkflowContext<IngestConfig>, worker: string) => ({
  ...context,
  worker,
  sites: sitesOf(context.config).here,
  timeoutMillis: context.config.claimSeconds * SECOND,
  maxDeaths: context.config.maxDeaths,
  // The lock of this process proves nothing about the worker.
  processLock: undefined,
  // A worker that took it over HTTP reports on the topic.
  reportFailure: async () => {},
})
