import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { BatchState } from '../../../domain/ingest/transitions.ts'
import { batches } from '../../../domain/ingest/views.ts'
import { plural } from '../../../domain/kernel/amounts.ts'
import { is, rows, tally } from '../../../domain/kernel/read-views.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { whole } from '../../runtime/field.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { ingest } from '../projection.ts'
import { batchReasoner } from './batch-reasons.ts'
import { ReasonedBatch, reasonedBatch, reasonsBelow } from './reasoned-batch.ts'

const Lane = t.type({
  state: BatchState,
  /** Number of all batches in the state. */
  count: t.number,
  /** Numbers of their jobs; held ones are among the open ones. */
  jobs: t.type({ open: t.number, held: t.number, completed: t.number, failed: t.number, deleted: t.number }),
  /** Batches: unfinished ones the oldest first, ended ones the latest first. */
  batches: t.readonlyArray(ReasonedBatch),
})

/** States in the order that a batch goes through them. */
const states = Object.keys(BatchState.keys) as BatchState[]
/** Batches count their jobs: a million rows of jobs need not be read. */
const ends = ['open', 'held', 'completed', 'failed', 'deleted'] as const
const none = { count: 0, open: 0, held: 0, completed: 0, failed: 0, deleted: 0 }
const done: ReadonlySet<BatchState> = new Set(['completed', 'deleted'])

const batchesIn = (views: Pick<Views, 'query'>, state: BatchState, limit: number) =>
  rows(views, batches, {
    where: [is('state', state)],
    orderBy: [{ column: 'number', descending: done.has(state) }],
    limit,
  })

/** Batches as lanes: how many are in each state, and the first of them. */
export const lanesQuestion = question({
  name: 'lanes',
  operationId: 'ingestLanes',
  summary:
    'The submissions by state: how many are in each, those that are in it for longest, and what they wait for.',
  projection: ingest,
  history: 'views',
  input: {
    each: { ...whole(1, 100), description: 'So many batches of each state; 20 unless said.', default: 20 },
  },
  answer: t.type({ at: t.string, lanes: t.readonlyArray(Lane) }),
  returns: 'The states, in the order that a batch goes through them.',
  schemaName: 'IngestLanes',
  ask: async (views, { each }, asking) => {
    const { now } = asking
    const reasonsOf = batchReasoner(views, asking)
    const counted = new Map(
      tally(views, batches, { by: ['state'], sum: ends }).map(({ state, ...row }) => [state, row] as const),
    )
    const lanes: t.TypeOf<typeof Lane>[] = []
    for (const state of states) {
      const batches = await Promise.all(
        batchesIn(views, state, each).map((row) => reasonedBatch(row, now, reasonsOf)),
      )
      const { count, ...jobs } = counted.get(state) ?? none
      lanes.push({ state, count, jobs, batches })
    }
    return E.right({ at: now, lanes })
  },
  rows: { row: ReasonedBatch, of: ({ lanes }) => lanes.flatMap(({ batches }) => batches) },
  show: ({ lanes }) =>
    lanes
      .filter(({ count }) => count > 0)
      .flatMap(({ state, count, batches }) => [
        `${state}: ${plural(count, 'batch', 'batches')}`,
        { rows: batches, columns: columns('number', 'submitter', 'title', 'jobs', 'open', 'held', 'failed') },
        ...reasonsBelow(batches),
      ]),
  nothing: ({ lanes }) => (lanes.every(({ count }) => count === 0) ? 'nothing was submitted yet' : undefined),
  examples: [['lanes', 'what is under way, what waits, and what ended']],
})
