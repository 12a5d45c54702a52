import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import { TimedOut } from './failures.ts'
import { guardStream } from './guarded-client.ts'

/** A stream of the client, read on demand: what is not asked for stays on the server. */
export interface Source<A> {
  /**
   * The items that wait, at least one; `quiet` where none came in time or the signal aborted; `over` at the end. Throws the
   * error of the call behind the items that came before it.
   */
  next(timeoutMillis: number): Promise<readonly A[] | 'quiet' | 'over'>
  close(): void
}

interface ClientStream<A> {
  read(): A | null
  on(event: string, listener: (error?: unknown) => void): unknown
  off(event: string, listener: (error?: unknown) => void): unknown
  resume(): unknown
}

/** Items that the client may buffer, before its decoder and again behind it. */
export const readAhead = 256

/** Gives all waiting items at once: the iterator of the client's streams is slow, with one item at a time. */
export const pull = <A>(
  stream: ClientStream<A>,
  cancel: () => Promise<void>,
  signal?: AbortSignal,
): Source<A> => {
  guardStream(stream)
  const change = createAutoResetEvent()
  let over = false
  let failure: unknown
  const onEnd = () => {
    over = true
    change.set()
  }
  stream.on('readable', change.set)
  stream.on('end', onEnd)
  stream.on('close', onEnd)
  // Never removed: an error without a listener would end the process, also after `close`.
  stream.on('error', (error) => {
    failure ??= error
    change.set()
  })
  signal?.addEventListener('abort', change.set)

  const waiting = (): readonly A[] => {
    const items: A[] = []
    for (let item = stream.read(); item !== null; item = stream.read()) items.push(item)
    return items
  }

  return {
    next: async (timeoutMillis) => {
      const deadline = performance.now() + timeoutMillis
      let isLate = false
      for (;;) {
        if (signal?.aborted) return 'quiet'
        const items = waiting()
        if (items.length > 0) return items
        if (failure !== undefined) throw failure
        if (over) return 'over'
        if (isLate) return 'quiet'
        await change.wait(Math.max(0, deadline - performance.now()))
        isLate = performance.now() >= deadline
      }
    },
    close: () => {
      signal?.removeEventListener('abort', change.set)
      stream.off('readable', change.set)
      cancel().catch(() => {})
      // What was sent already is read and dropped: the client waits for the end of each of its streams.
      stream.resume()
    },
  }
}

/** All items of a source that ends; closes it. Throws `TimedOut` where none comes in time. */
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

/** All of a stream that ends. */
export const collect = async <A>(
  stream: ClientStream<A>,
  cancel: () => Promise<void>,
  timeoutMillis: number,
): Promise<A[]> => {
  const all: A[] = []
  for await (const items of untilOver(pull<A>(stream, cancel), timeoutMillis))
    for (const item of items) all.push(item)
  return all
}
