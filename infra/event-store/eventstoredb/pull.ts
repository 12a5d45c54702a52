import { convertToCommandError } from '@eventstore/db-client'
import type { ClientReadableStream } from '@grpc/grpc-js'
import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import { TimedOut } from './failures.ts'

/** The responses of a call, read on demand: those that are not asked for stay on the server. */
export interface Source<A> {
  /**
   * Returns the items that wait, at least one; `quiet` if none came in time or the signal aborted; `over` at the end.
   * Throws the error of the call behind the items that came before it.
   */
  next(timeoutMillis: number): Promise<readonly A[] | 'quiet' | 'over'>
  close(): void
}

/** Most items that may wait here. */
const readAhead = 256

/** Gives all waiting items at once: the iterator of a stream is slow, with one item at a time. */
export const pull = <A>(opening: Promise<ClientReadableStream<A>>, signal?: AbortSignal): Source<A> => {
  const change = createAutoResetEvent()
  let stream: ClientReadableStream<A> | undefined
  let waiting: A[] = []
  let over = false
  let closed = false
  let failure: unknown
  const fail = (error: unknown) => {
    failure ??= error
    change.set()
  }
  const end = () => {
    over = true
    change.set()
  }
  const listen = (opened: ClientReadableStream<A>) => {
    stream = opened
    // Never removed: an error without a listener would end the process, also after `close`.
    stream.on('error', (error) => fail(convertToCommandError(error)))
    stream.on('end', end)
    stream.on('close', end)
    stream.on('data', (item: A) => {
      if (closed) return
      if (waiting.push(item) === readAhead) opened.pause()
      // All items that arrive in one piece are taken together.
      if (waiting.length === 1) setImmediate(change.set)
    })
    if (closed) cancel()
  }
  const cancel = () => {
    const opened = stream
    // https://github.com/grpc/grpc-node/issues/1652
    if (opened) setImmediate(() => opened.cancel())
    // Items that were already sent are read and dropped: the client waits for the end of each of its streams.
    opened?.resume()
  }
  opening.then(listen, fail)
  signal?.addEventListener('abort', change.set)

  const take = (): readonly A[] => {
    const items = waiting
    waiting = []
    if (items.length >= readAhead) stream?.resume()
    return items
  }

  return {
    next: async (timeoutMillis) => {
      const deadline = performance.now() + timeoutMillis
      let isLate = false
      for (;;) {
        if (signal?.aborted) return 'quiet'
        if (waiting.length > 0) return take()
        if (failure !== undefined) throw failure
        if (over) return 'over'
        if (isLate) return 'quiet'
        await change.wait(Math.max(0, deadline - performance.now()))
        isLate = performance.now() >= deadline
      }
    },
    close: () => {
      if (closed) return
      closed = true
      waiting = []
      signal?.removeEventListener('abort', change.set)
      cancel()
    },
  }
}

/** Returns all items of a source that ends; closes it. Throws `TimedOut` if none comes in time. */
export async function* untilOver<A>(source: Source<A>, timeoutMillis: number): AsyncGenerator<readonly A[]> {
  try {
    for (;;) {
      const items = await source.next(timeoutMillis)
      if (items === 'over') return
      if (items === 'quiet') throw new TimedOut('the server sent nothing')
      yield items
    }
  } finally {
    source.close()
  }
}
