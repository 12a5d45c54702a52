import { Silent } from './failures.ts'
import { guardStream } from './guarded-client.ts'

/** A stream of the client's, read when there is room for more: what is not asked for stays on the server. */
export interface Source<A> {
  /**
   * What waits, at least one; `quiet` where nothing came for `patience` milliseconds or the signal aborted; `over` at
   * the end. Throws what the call failed with, once everything before it was given out.
   */
  next(patience: number): Promise<readonly A[] | 'quiet' | 'over'>
  close(): void
}

/** What is needed of the client's streams. */
export interface ClientStream<A> {
  read(): A | null
  on(event: string, listener: (error?: unknown) => void): unknown
  off(event: string, listener: (error?: unknown) => void): unknown
  resume(): unknown
}

/** Items that the client may hold for us, on either side of its decoder. */
export const readAhead = 256

/** Of the client's streams the iterator gives one item a turn; this gives all that wait. */
export const pull = <A>(
  stream: ClientStream<A>,
  cancel: () => Promise<void>,
  signal?: AbortSignal,
): Source<A> => {
  guardStream(stream)
  let over = false
  let fault: unknown
  let wake = () => {}
  const onChange = () => wake()
  const onEnd = () => {
    over = true
    wake()
  }
  stream.on('readable', onChange)
  stream.on('end', onEnd)
  stream.on('close', onEnd)
  // Stays for ever: a fault that nobody hears, after we have left, would end the process.
  stream.on('error', (error) => {
    fault ??= error
    wake()
  })
  signal?.addEventListener('abort', onChange)

  const waiting = (): readonly A[] => {
    const items: A[] = []
    for (let item = stream.read(); item !== null; item = stream.read()) items.push(item)
    return items
  }

  /** False where nothing changed for so long. */
  const change = (millis: number): Promise<boolean> =>
    new Promise((resolve) => {
      const timer =
        millis === Number.POSITIVE_INFINITY
          ? undefined
          : setTimeout(() => resolve(false), Math.max(0, millis))
      wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })

  return {
    next: async (patience) => {
      const deadline = performance.now() + patience
      for (;;) {
        if (signal?.aborted) return 'quiet'
        const items = waiting()
        if (items.length > 0) return items
        if (fault !== undefined) throw fault
        if (over) return 'over'
        if (!(await change(deadline - performance.now()))) return 'quiet'
      }
    },
    close: () => {
      signal?.removeEventListener('abort', onChange)
      stream.off('readable', onChange)
      cancel().catch(() => {})
      // What was sent already has to go somewhere: the client waits for the end of each of its streams.
      stream.resume()
    },
  }
}

/** A source that ends, which is then closed. Throws `Silent` where nothing comes for `patience` milliseconds. */
export async function* untilOver<A>(source: Source<A>, patience: number): AsyncGenerator<readonly A[]> {
  try {
    for (;;) {
      const items = await source.next(patience)
      if (items === 'over') return
      if (items === 'quiet') throw new Silent('the server sent nothing')
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
  patience: number,
): Promise<A[]> => {
  const all: A[] = []
  for await (const items of untilOver(pull<A>(stream, cancel), patience))
    for (const item of items) all.push(item)
  return all
}
