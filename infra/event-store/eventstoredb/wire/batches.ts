import { randomUUID } from 'node:crypto'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import { status } from '@grpc/grpc-js'
import type { Expected } from '../../../../src/ports/event-store.ts'
import type { EncodedEvent } from '../event-coding.ts'
import { inTime } from '../guarded-client.ts'
import { type BatchCall, openBatchCall } from './batch-call.ts'
import type { Written } from './batch-messages.ts'
import { decodeBatchAnswer, encodeRequest } from './batch-messages.ts'
import type { Calls } from './calls.ts'

/** Appends over one call, each answered as it is done. They reach the server in the order in which they were sent. */
export interface Batches {
  /**
   * Undefined where the server has no such call, or none that we can give a deadline: it was not sent. Rejects with what the
   * client would throw.
   */
  append(stream: string, expected: Expected, events: readonly EncodedEvent[]): Promise<Written | undefined>
}

const featuresPath = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods'
const batchPath = '/event_store.client.streams.Streams/BatchAppend'

/**
 * Not the client's own: it keeps the appends of all clients of the process in one map, so that one that loses its server
 * ends those of the others; it has no deadline, and sends the server a time of our clock.
 */
export const createBatches = (calls: Calls, timeoutMillis: number): Batches => {
  let current: Promise<BatchCall | undefined> | undefined

  const open = async (): Promise<BatchCall | undefined> => {
    if (!(await isSupported(calls))) return undefined
    return openBatchCall(await calls.talk(batchPath, decodeBatchAnswer), timeoutMillis, forget)
  }
  const forget = () => {
    current = undefined
  }

  return {
    append: async (stream, expected, events) => {
      current ??= inTime(open(), timeoutMillis).catch((error: unknown) => {
        forget()
        throw error
      })
      const call = await current
      const request = { id: randomUUID(), stream, expected, events, patienceMillis: timeoutMillis }
      return call?.append(request.id, stream, encodeRequest(request))
    },
  }
}

/** False also where the server does not say: older ones do not. */
const isSupported = async (calls: Calls): Promise<boolean> => {
  const request = Buffer.from(new shared.Empty().serializeBinary())
  try {
    const supported = await calls.ask(featuresPath, request, features.SupportedMethods.deserializeBinary)
    return supported
      .getMethodsList()
      .some(
        (method) =>
          `/${method.getServiceName()}/${method.getMethodName()}`.toLowerCase() === batchPath.toLowerCase() &&
          method.getFeaturesList().includes('deadline_duration'),
      )
  } catch (error) {
    if (isAway(error)) throw error
    return false
  }
}

const away: readonly unknown[] = [status.UNAVAILABLE, status.DEADLINE_EXCEEDED, status.CANCELLED]

/** An error without a code says that no server was found. */
const isAway = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown }
  return code === undefined || away.includes(code)
}
