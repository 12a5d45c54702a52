import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { bytes, count } from '../../../domain/kernel/amounts.ts'
import { question } from '../../runtime/question.ts'
import type { Column } from '../../runtime/shown.ts'
import { indexing } from '../projection.ts'

/** A sorted run of the index. */
const RunLine = t.type({
  name: t.string,
  /** Number of merges of its lines. */
  level: t.number,
  state: t.keyof({ live: null, frozen: null, removed: null }),
  lines: t.number,
  bytes: t.number,
  /** Archive files and posts that it has lines of. */
  files: t.number,
  /** Blocks that are damaged, and not served. */
  badBlocks: t.number,
  sha256: t.string,
})

const number = (key: string, title?: string): Column => ({
  key,
  ...(title !== undefined && { title }),
  show: (n) => count(Number(n)),
})

export const runsQuestion = question({
  name: 'runs',
  operationId: 'listIndexRuns',
  summary: 'The sorted runs that the index is made of, with their levels, lines and bytes.',
  description:
    '`live` runs are looked at, and merged when there are many of one level; `frozen` ones are looked at, and too large to be merged ' +
    'again; `removed` ones hold what was withdrawn or replaced, for questions about the past.',
  projection: indexing,
  needsViews: false,
  input: {},
  answer: t.type({
    runs: t.readonlyArray(RunLine),
    /** Reason why the index, or the changes that wait for it, cannot come from this log. */
    mismatch: t.union([t.string, t.null]),
  }),
  returns: 'The runs.',
  ask: async (_views, _input, { of: { indexing } }) => {
    const { index } = await indexing.captures()
    const [runs, { mismatch = null }] = await Promise.all([index.runs(), indexing.indexPlace()])
    return E.right({
      mismatch,
      runs: runs.map(({ name, level, state, lines, bytes, files, badBlocks, sha256 }) => ({
        ...{ name, level, state, lines, bytes, files, badBlocks, sha256 },
      })),
    })
  },
  prints: 'rows',
  rows: { row: RunLine, of: ({ runs }) => runs },
  show: ({ runs }) => [
    {
      rows: runs,
      columns: [
        { key: 'name', leaveOut: 'middle' },
        number('level'),
        { key: 'state' },
        number('lines'),
        { key: 'bytes', title: 'size', show: (n) => bytes(Number(n)) },
        number('files'),
        number('badBlocks', 'bad blocks'),
      ],
    },
  ],
  remarks: ({ mismatch, runs }) => [
    ...(mismatch === null ? [] : [mismatch]),
    ...(runs.some(({ badBlocks }) => badBlocks > 0)
      ? ['Bad blocks are damaged, and not served: `fonds doctor` says what was in them, and what helps.']
      : []),
  ],
  nothing: ({ runs }) => (runs.length === 0 ? 'the index has no runs: nothing was published yet' : undefined),
  examples: [['runs', 'what is merged already']],
})
