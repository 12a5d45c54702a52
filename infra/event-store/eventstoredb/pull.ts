import { createAutoResetEvent } from '../../../src/async/auto-reset-event.ts'
import { systemClock } from '../../../src/async/system-clock.ts'
import { TimedOut } from './failures.ts'
import { guardStream } from './guarded-client.ts'

/** A stream of the client's, read on demand: what is not asked for stays on the server. */
export interface Source<A> {
  /**
   * What waits, at least one; `quiet` where nothing came in time or the signal aborted; `over` at the end. Throws what the call failed with, once everything before it was given out.
   */
  next(timeoutMillis: number): Promise<readonly A[] | 'quiet' | 'over'>
  close(): void
}

/** What is needed of the client's streams. */
interface ClientStream<A> {
  read(): A | null
  on(event: string, listener: (error?: unknown) => void): unknown
  off(event: string, listener: (error?: unknown) => void): unknown
  resume(): unknown
}

/** Items that the client may hold for us, on either side of its decoder. */
export const readAhead = 256

/** Gives all that wait at once, where the iterator of the client's streams gives one item a turn. */
export const pull = <A>(
  stream: ClientStream<A>,
  cancel: () => Promise<void>,
  signal?: AbortSignal,
): Source<A> => {
  guardStream(stream)
  const change = createAutoResetEvent(systemClock)
  let over = false
  let failure: unknown
  const onEnd = () => {
    over = true
    change.set()
  }
  stream.on('readable', change.set)
  stream.on('end', onEnd)
  stream.on('close', onEnd)
  // Stays for ever: an error that nobody hears, after we have left, would end the process.
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
      // What was sent already has to go somewhere: the client waits for the end of each of its streams.
      stream.resume()
    },
  }
}

/** A source that ends, which is then closed. Throws `TimedOut` where nothing comes in time. */
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
