import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Admin, Kafka } from 'kafkajs'
import type { BrokerFailure } from '../../../src/ports/broker-failure.ts'
import { isTopicMissing } from './errors.ts'
import { type Call, failureOf } from './failure.ts'
import type { Outage } from './log.ts'
import { within } from './within.ts'

/** The connection for administration: made when first used, and kept. */
export interface Cluster {
  /** Known once any call has connected; undefined before. */
  id(): string | undefined
  /** Ends in bounded time. */
  call<A>(call: Call, work: (admin: Admin) => Promise<A>): TaskEither<BrokerFailure, A>
  close(): Promise<void>
}

export const openCluster = (kafka: Kafka, callMillis: number, outage: Outage): Cluster => {
  let admin = kafka.admin()
  let clusterId: string | undefined
  let connecting: Promise<void> | undefined
  let closed = false

  const connect = async (): Promise<void> => {
    await admin.connect()
    clusterId = (await admin.describeCluster()).clusterId
  }
  const connected = async (): Promise<Admin> => {
    if (closed) throw new Error('the broker is closed')
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined
      throw error
    })
    await connecting
    return admin
  }

  /** A kafkajs admin always asks for all topics that it was ever asked for, so it fails for ever once one of them is deleted. */
  const renew = (): void => {
    admin.disconnect().catch(() => {})
    admin = kafka.admin()
    connecting = undefined
  }

  return {
    id: () => clusterId,
    call: (call, work) => async () => {
      const attempt = () => connected().then(work)
      const used = admin
      const again = (error: unknown) => {
        if (call.topic !== undefined || !isTopicMissing(error)) throw error
        if (used === admin) renew()
        return attempt()
      }
      try {
        const result = await within(callMillis, attempt().catch(again))
        outage.back()
        return E.right(result)
      } catch (error) {
        const failure = failureOf(error, call)
        if (failure.kind === 'Unavailable' && !closed) outage.away(failure.reason)
        return E.left(failure)
      }
    },
    close: async () => {
      closed = true
      // A connection that is still being made would not be closed by `disconnect`.
      const connected = Promise.allSettled([connecting])
      await within(
        callMillis,
        connected.then(() => admin.disconnect()),
      ).catch(() => {})
    },
  }
}
