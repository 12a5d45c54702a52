import type { HttpClient, HttpResponse } from '@fonds/download'
import { TransientFailure } from '@fonds/download'
import { type AllowedHosts, createStallWatch, request, type Tries } from '@fonds/download/http'

/** Requests for the bytes of resources. */
export interface Asking extends Tries {
  readonly client: HttpClient
  readonly allowed: AllowedHosts
  /** A server that sends nothing, or next to nothing, for so long is asked again. */
  readonly stallMillis: number
}

interface AnswerWatch {
  /** The consumer works: its time is not the server's. */
  pause(): void
  resume(): void
}

/** Calls `use` with the answer to one GET. Throws what `request` and `use` do. */
export const askOnce = async <A>(
  address: string,
  headers: Readonly<Record<string, string>>,
  { client, allowed, stallMillis }: Asking,
  signal: AbortSignal,
  use: (answer: HttpResponse, watch: AnswerWatch) => Promise<A>,
): Promise<A> => {
  const stall = createStallWatch(signal, stallMillis)
  let answer: HttpResponse | undefined
  try {
    answer = await request(client, address, allowed, headers, { signal: stall.signal, begun: stall.begin })
    return await use(answer, { pause: stall.end, resume: stall.begin })
  } catch (error) {
    if (stall.hasStalled && !signal.aborted)
      throw new TransientFailure(`sent nothing for ${stallMillis / 1000} s`, { cause: error })
    throw error
  } finally {
    stall.end()
    await answer?.[Symbol.asyncDispose]()
  }
}
