import * as t from 'io-ts'
import type { BatchRow } from '../tables.ts'
import { BatchLine } from './answers.ts'
import { BatchReason, reasonLine } from './batch-reason.ts'
import { batchLine } from './batches.ts'

export const ReasonedBatch = t.intersection([
  BatchLine,
  t.type({
    /** Why it is not done: what failed, what is held, what its jobs wait for. Empty while it is worked on. */
    reasons: t.readonlyArray(BatchReason),
  }),
])
export type ReasonedBatch = t.TypeOf<typeof ReasonedBatch>

export const reasonedBatch = async (
  row: BatchRow,
  now: string,
  reasonsOf: (row: BatchRow) => Promise<readonly BatchReason[]>,
): Promise<ReasonedBatch> => ({ ...batchLine(row, now), reasons: await reasonsOf(row) })

/** A line for each reason, below a table of batches. */
export const reasonsBelow = (batches: readonly ReasonedBatch[]): readonly string[] =>
  batches.flatMap(({ number, batch, reasons }) =>
    reasons.map((reason) => `  batch ${number ?? batch}, ${reasonLine(reason)}`),
  )
