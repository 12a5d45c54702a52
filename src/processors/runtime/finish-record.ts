import type { BrokerRecord } from '../../ports/broker.ts'
import { deadLetterRecord } from './dead-letter-record.ts'
import type { OutcomeDependencies } from './outcomes.ts'
import { invalidIn, type Result, resultOf, type StepResult } from './results.ts'
import type { SealsMessages } from './sealed-messages.ts'
import type { InvalidRecord } from './steps.ts'

/** A record whose handling is done for good. */
export interface Finished {
  readonly offset: bigint
  readonly result: Result
}

/** Finishes a record whose commands are all done. An invalid one makes it a dead letter; the others keep their effect. */
export const finishRecord = (
  processor: string,
  deps: OutcomeDependencies & Partial<SealsMessages>,
  record: BrokerRecord,
  results: readonly StepResult[],
): Finished | Promise<Finished> => {
  const why = invalidIn(results)
  return why ? finishInvalid(processor, deps, { record, why }) : finished(record, resultOf(results))
}

export const finishInvalid = async (
  processor: string,
  deps: OutcomeDependencies & Partial<SealsMessages>,
  { record, why }: InvalidRecord,
): Promise<Finished> => {
  await deadLetterRecord(deps, processor, record, why)
  return finished(record, 'dead')
}

const finished = ({ offset }: BrokerRecord, result: Result): Finished => ({ offset, result })
