import { withTimeout } from '../../../src/async/with-timeout.ts'

/** Rejects when Kafka does not answer in time. */
export const within = <A>(millis: number, work: Promise<A>): Promise<A> =>
  withTimeout(work, millis, () => {
    throw new Error(`no answer from Kafka within ${millis / 1000} s`)
  })
