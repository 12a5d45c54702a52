import * as E from 'fp-ts/lib/Either.js'
import { type IngestRejection, reject } from '../rejection.ts'
import {
  type BatchRow,
  type BatchState,
  batchMoves,
  type Mover,
  rowOf,
  whyNotAllowed,
} from '../transitions.ts'
import type { BatchEvent } from './events.ts'
import type { Batch } from './state.ts'

export type Decision = E.Either<IngestRejection, readonly BatchEvent[]>

type More = Partial<Omit<Extract<BatchEvent, { type: 'BatchMoved' }>['data'], 'from' | 'to' | 'cause' | 'at'>>

/** One move, by the row that allows it. */
export const move = (
  batch: Batch,
  to: BatchState,
  by: Mover,
  { at, row, ...more }: { at: string; row?: BatchRow } & More,
): Decision => {
  const from = batch.state
  const cause = rowOf<BatchRow>(batchMoves, { from, to, by, row })
  if (cause === undefined) return notAllowed(batch, to, by)
  return E.right([{ type: 'BatchMoved', data: { from, to, cause, at, ...more } }])
}

export const notAllowed = (batch: Batch, to: BatchState, by: Mover) =>
  reject('not-allowed', whyNotAllowed(batchMoves, { what: nameOf(batch), from: batch.state, to, by }))

export const nameOf = ({ number }: Batch): string => (number === undefined ? 'the batch' : `batch ${number}`)
