import { keepTrying } from '../async/keep-trying.ts'
import { systemClock } from '../async/system-clock.ts'
import { DeniedError, UnavailableError } from '../async/unavailable.ts'
import { MINUTE, SECOND } from '../domain/kernel/time.ts'

interface Waiting {
  readonly signal: AbortSignal
  /** Told why it waits, at once and then once a minute. */
  readonly say: (line: string) => void
  /** Told each time. */
  readonly onAway?: (reason: string) => void
}

const backoff = { minMillis: SECOND / 2, maxMillis: SECOND }

/**
 * What `begin` makes, once the log and the broker answer. Rejects at once where a log-in is refused or anything else fails than
 * that something is away. Undefined where the signal aborts before.
 */
export const whenThere = async <A>(
  begin: () => Promise<A>,
  { signal, say, onAway = () => {} }: Waiting,
): Promise<A | undefined> => {
  let begun: { readonly value: A } | undefined
  let saidAt = Number.NEGATIVE_INFINITY
  const onFailure = ({ error }: { readonly error: unknown }): void => {
    if (!(error instanceof UnavailableError) || error instanceof DeniedError) throw error
    onAway(error.message)
    if (performance.now() - saidAt < MINUTE) return
    saidAt = performance.now()
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
