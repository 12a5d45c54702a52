import { Refused } from './client.ts'
import { pause } from './pause.ts'

interface SendingAgain {
  readonly signal: AbortSignal
  /** The connection was lost; it is sent again when the server answers. */
  readonly onLost: () => void
}

/** A server that answers and cuts it off all the same will not take it: the file may have changed on its disk. */
const maxCutOff = 3
const pauseMillis = 1000

/**
 * Sends until there is an answer: what a lost connection cut off is sent again, from the beginning, once the server is heard. What is
 * sent must have its effect once, however often it comes. Rejects with `Refused`, or with the signal's reason.
 */
export const sendAgain = async <A>(send: () => Promise<A>, { signal, onLost }: SendingAgain): Promise<A> => {
  for (let cutOff = 1; ; cutOff++) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Refused) || error.problem.code !== 'no-answer' || cutOff === maxCutOff)
        throw error
    }
    onLost()
    do {
      await pause(pauseMillis, signal)
      signal.throwIfAborted()
    } while (!(await isHeard(signal)))
  }
}

const isHeard = async (signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch('/healthz', { signal, cache: 'no-store' })).ok
  } catch {
    return false
  }
}
