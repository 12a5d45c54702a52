import { convertToCommandError } from '@eventstore/db-client'
import { type ClientDuplexStream, type StatusObject, status } from '@grpc/grpc-js'
import { TimedOut } from '../failures.ts'
import { callError, errorOf } from './batch-failure.ts'
import type { BatchAnswer, Written } from './batch-messages.ts'

/** One call that carries appends. */
export interface BatchCall {
  append(id: string, stream: string, pieces: readonly Buffer[]): Promise<Written>
}

interface Waiting {
  readonly stream: string
  readonly resolve: (written: Written) => void
  readonly reject: (error: unknown) => void
  readonly timer: NodeJS.Timeout
}

/** The server's limit for one message. A larger one would end the call, and all appends that wait on it. */
const maxMessageBytes = 16 * 1024 * 1024 - 1024

/** `onOver` is called as soon as this call accepts no more appends. */
export const openBatchCall = (
  call: ClientDuplexStream<Buffer, BatchAnswer>,
  timeoutMillis: number,
  onOver: () => void,
): BatchCall => {
  const underWay = new Map<string, Waiting>()
  let unsent: Buffer[] = []
  let over: unknown
  let isRetired = false

  const take = (id: string): Waiting | undefined => {
    const found = underWay.get(id)
    if (!found) return undefined
    underWay.delete(id)
    clearTimeout(found.timer)
    if (isRetired && underWay.size === 0) call.end()
    return found
  }
  const retire = () => {
    if (isRetired) return
    isRetired = true
    onOver()
  }
  const end = (error: Error) => {
    retire()
    over ??= convertToCommandError(error)
    for (const id of [...underWay.keys()]) take(id)?.reject(over)
  }
  const send = () => {
    const pieces = unsent
    unsent = []
    if (over === undefined && !call.writableEnded) for (const piece of pieces) call.write(piece)
  }
  /** Ends the call as if the server were unavailable: the channel is closed, and the leader discovered again. */
  const leave = (reason: string) => {
    call.destroy(callError(status.UNAVAILABLE, reason))
    call.cancel()
  }

  call.on('error', end)
  call.on('status', ({ details }: StatusObject) =>
    end(callError(status.UNAVAILABLE, details || 'the server ended the call')),
  )
  call.on('data', ({ id, outcome }: BatchAnswer) => {
    const found = take(id)
    if (!found) return
    if (!('type' in outcome)) {
      found.resolve(outcome)
      return
    }
    const error = errorOf(found.stream, outcome)
    found.reject(error ?? callError(status.UNAVAILABLE, outcome.message))
    if (!error) leave(outcome.message)
  })

  return {
    append: (id, stream, pieces) =>
      new Promise((resolve, reject) => {
        if (over !== undefined) {
          reject(over)
          return
        }
        if (pieces.some(({ length }) => length > maxMessageBytes)) {
          reject(callError(status.RESOURCE_EXHAUSTED, 'the append is larger than max message size'))
          return
        }
        const timer = setTimeout(() => {
          retire()
          take(id)?.reject(new TimedOut('the append has no answer'))
        }, timeoutMillis)
        underWay.set(id, { stream, resolve, reject, timer })
        // Appends of several writers in one turn of the event loop are sent together: a log with group commit syncs
        // once for all.
        if (unsent.length === 0) underWay.size === 1 ? queueMicrotask(send) : setImmediate(send)
        unsent.push(...pieces)
      }),
  }
}
