import type { BrokerFailure } from './broker.ts'

/** Why a broker did not do what it was asked, as a sentence for a person. */
export const inWords = (failure: BrokerFailure): string => {
  switch (failure.kind) {
    case 'UnknownTopic':
      return `there is no topic ${failure.topic}`
    case 'TooLarge':
      return `a message takes ${failure.bytes} bytes, topics take ${failure.limit}`
    case 'Forbidden':
    case 'Unavailable':
      return failure.reason
  }
}
