import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DeadLetter } from '../domain/kernel/dead-letter.ts'
import type { ProducerRecord, RecordPlace } from '../ports/broker.ts'
import type { BrokerFailure } from '../ports/broker-failure.ts'
import type { System } from './system.ts'

export type ProduceFailure =
  /** Its topic does not take the message. */
  | { readonly kind: 'NotTaken'; readonly reason: string }
  | { readonly kind: 'Unavailable'; readonly reason: string }

/** Produces a dead letter's message on its topic, byte for byte, but for the value that a person put in the place of its own. */
export const produceAgain = (
  { broker }: Pick<System, 'broker'>,
  letter: DeadLetter,
  edited?: string,
): TE.TaskEither<ProduceFailure, RecordPlace | undefined> =>
  pipe(
    broker.produce([{ ...recordOf(letter), ...(edited !== undefined && { value: edited }) }]),
    TE.bimap(
      (failure): ProduceFailure =>
        failure.kind === 'Unavailable'
          ? { kind: 'Unavailable', reason: failure.reason }
          : { kind: 'NotTaken', reason: becauseOf(failure, letter.topic) },
      ([place]) => place,
    ),
  )

const recordOf = ({ topic, key, headers, value, encoding, raw }: DeadLetter): ProducerRecord => ({
  topic,
  key,
  headers,
  value: encoding === 'text' ? value : bytesOf(value),
  ...(raw && {
    raw: {
      key: raw.key === null ? null : bytesOf(raw.key),
      headers: raw.headers.map((header) => ({ name: header.name, value: bytesOf(header.value) })),
    },
  }),
})

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

const becauseOf = (failure: Exclude<BrokerFailure, { kind: 'Unavailable' }>, topic: string): string => {
  switch (failure.kind) {
    case 'UnknownTopic':
      return `the topic ${failure.topic} no longer exists`
    case 'TooLarge':
      return `it takes ${failure.bytes} bytes, ${topic} takes ${failure.limit}`
    case 'Forbidden':
      return failure.reason
  }
}
