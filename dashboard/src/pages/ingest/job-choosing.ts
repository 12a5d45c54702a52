import type { Answer } from '../../api/client.ts'
import type { Choosing, RowAct } from '../../parts/many/choosing.ts'
import { commandAct } from '../../parts/many/command-act.ts'

export type Job = Answer<'/api/v1/ingest/jobs'>['jobs'][number]
type State = Job['state']

/** In the order in which a job goes through them. */
export const jobStates: readonly State[] = [
  'pending',
  'held',
  'estimating',
  'provisioning',
  'downloading',
  'processing',
  'storing',
  'recording',
  'notify',
  'completed',
  'failed',
  'deleted',
]

const input = ({ job }: Job) => ({ job })

/** Why something is not for a job where it stands. */
const onlyOf =
  (states: readonly State[]) =>
  ({ state }: Job): string | undefined =>
    states.includes(state) ? undefined : `It is ${state}: only what is ${states.join(' or ')} can be.`

const hold: RowAct<Job> = commandAct({
  name: 'ingest.hold-job',
  verb: 'Hold',
  says: 'None of them is begun before somebody releases it.',
  input,
  cannot: onlyOf(['pending']),
})

const release: RowAct<Job> = commandAct({
  name: 'ingest.release-job',
  verb: 'Release',
  says: 'Each goes on as pending. Where its collection is on hold still, it is held again.',
  input,
  cannot: onlyOf(['held']),
})

const isOver: ReadonlySet<State> = new Set(['completed', 'deleted', 'failed', 'held'])

/** What can be done with jobs that are chosen. */
export const jobChoosing: Choosing<Job> = {
  nouns: ['job', 'jobs'],
  nameOf: ({ job }) => `job ${job}`,
  standsOf: ({ state, message }) => (state === 'failed' && message !== null ? `failed (${message})` : state),
  acts: [
    { ...hold, undo: release },
    { ...release, undo: hold },
    commandAct({
      name: 'ingest.resume-job',
      verb: 'Resume',
      says: 'Puts each back to work, at the step that it failed in.',
      input,
      cannot: onlyOf(['failed']),
    }),
    commandAct({
      name: 'ingest.force-fail',
      verb: 'Force to fail',
      says: 'For jobs that hang: whoever holds one loses it. They can be resumed.',
      input: ({ job }) => ({ job, confirmed: true }),
      cannot: ({ state }) => (isOver.has(state) ? `It is ${state}: nothing of it is under way.` : undefined),
    }),
    commandAct({
      name: 'ingest.delete-job',
      verb: 'Delete',
      says: 'Gives each up. No report will name it: the depositor is not told. It cannot be taken back.',
      input: ({ job }) => ({ job, confirmed: true }),
      cannot: onlyOf(['held', 'failed']),
    }),
  ],
}
