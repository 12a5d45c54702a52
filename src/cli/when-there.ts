import { keepTrying } from '../async/keep-trying.ts'
import { systemClock } from '../async/system-clock.ts'
import { DeniedError, UnavailableError } from '../async/unavailable.ts'
import { MINUTE, SECOND } from '../domain/kernel/time.ts'

interface Waiting {
  readonly signal: AbortSignal
  /** Called with the reason for waiting, at once and then once a minute. */
  readonly say: (line: string) => void
  /** Called with the reason each time. */
  readonly onAway?: (reason: string) => void
}

const backoff = { minMillis: SECOND / 2, maxMillis: SECOND }

/**
 * Returns the result of `begin`, once the log and the broker answer. Rejects at once if a log-in is refused or an error
 * other than unavailability occurs. Undefined if the signal aborts before.
 */
export const whenThere = async <A>(
  begin: () => Promise<A>,
  { signal, say, onAway = () => {} }: Waiting,
): Promise<A | undefined> => {
  let begun: { readonly value: A } | undefined
  let printedAt = Number.NEGATIVE_INFINITY
  const onFailure = ({ error }: { readonly error: unknown }): void => {
    if (!(error instanceof UnavailableError) || error instanceof DeniedError) throw error
    onAway(error.message)
    if (performance.now() - printedAt < MINUTE) return
    printedAt = performance.now()
    say(`waiting: ${error.message}`)
  }
  const isOver = () => begun !== undefined || signal.aborted
  await keepTrying(
    async () => {
      begun = { value: await begin() }
    },
    { clock: systemClock, signal, isOver, backoff, onFailure },
  )
  return begun?.value
}
