import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { keepTrying } from '../../../src/async/keep-trying.ts'
import { unavailable } from '../../../src/async/unavailable.ts'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import type { Clock } from '../../../src/ports/clock.ts'

interface Patience {
  readonly clock: Pick<Clock, 'sleep'>
  /** Whether what is away is waited for. */
  readonly mayWait: () => boolean
  readonly closing: AbortSignal
}

/** The answer, once Kafka is there to give one: what is definite, or what is away while nobody may wait for it. */
export const patiently =
  <A>(ask: TaskEither<BrokerFailure, A>, { clock, mayWait, closing }: Patience): typeof ask =>
  async () => {
    let answer = await ask()
    const isOver = () => closing.aborted || !mayWait() || !isAway(answer)
    const again = async (): Promise<void> => {
      answer = await ask()
      if (E.isLeft(answer)) throw unavailable(answer.left)
    }
    // Each call tells of the outage by itself.
    await keepTrying(again, { clock, signal: closing, isOver, onFailure: () => {} })
    return answer
  }

const isAway = (answer: E.Either<BrokerFailure, unknown>): boolean =>
  E.isLeft(answer) && answer.left.kind === 'Unavailable'
