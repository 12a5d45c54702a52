import type { BrokerFailure } from '../ports/broker.ts'

/** Why a broker does not answer a question that says nothing of topics or sizes. */
export const reasonOf = (failure: BrokerFailure): string =>
  failure.kind === 'Unavailable' ? failure.reason : failure.kind
