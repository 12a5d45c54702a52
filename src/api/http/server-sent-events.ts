import { Readable } from 'node:stream'
import { UnavailableError } from '../../async/unavailable.ts'
import { withTimeout } from '../../async/with-timeout.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Handled, jsonText, stream } from './route.ts'

/** One event of `text/event-stream`. Without data it only moves the id that a client resumes from; one of a type has that as its name. */
export const frame = (id: string | bigint, data?: unknown, type?: string): string =>
  `${type === undefined ? '' : `event: ${type}\n`}id: ${id}\n${data === undefined ? '' : `data: ${jsonText(data)}\n`}\n`

/** As bytes where many are sent the same. */
type Text = string | Uint8Array

interface Streaming {
  readonly clock: Clock
  readonly heartbeatMillis: number
  readonly signal: AbortSignal
}

/**
 * Server-sent events. The next text is read when the last one was sent, so a slow client holds up itself alone. Comments
 * (heartbeats) keep proxies from closing a silent connection. The stream ends with `signal`, and when its source is
 * away: clients then connect again by themselves, with the last id that they saw.
 */
export const eventStream = (texts: AsyncIterable<Text>, streaming: Streaming): Handled =>
  stream(
    Readable.from(withHeartbeats(texts, streaming), { objectMode: false, highWaterMark: 1 }),
    'text/event-stream',
  )

async function* withHeartbeats(
  texts: AsyncIterable<Text>,
  { clock, heartbeatMillis, signal }: Streaming,
): AsyncGenerator<Text> {
  const source = texts[Symbol.asyncIterator]()
  try {
    yield 'retry: 2000\n\n'
    let next = source.next()
    while (!signal.aborted) {
      const arrived = await withTimeout(next, heartbeatMillis, () => undefined, clock)
      if (signal.aborted || arrived?.done) return
      if (arrived) next = source.next()
      yield arrived ? arrived.value : ': still here\n\n'
    }
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  } finally {
    await source.return?.()
  }
}
