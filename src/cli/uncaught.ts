import type { Logger } from 'pino'
import { withTimeout } from '../async/with-timeout.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { exitCodes } from './output/exit-codes.ts'

/** Longest wait until leases are released: other processes take them over when they expire in any case. */
const patienceMillis = 2 * SECOND

/**
 * Until it is disposed of, an uncaught exception or an unhandled rejection ends the process with code 1, whatever its
 * roles: the state it left behind is unknown, and no facts may be written from it. It is logged, and `abandon`
 * releases leases, so that other processes take over at once.
 */
export const endOnUncaught = (log: Logger, abandon: () => Promise<unknown>): Disposable => {
  let ending = false
  const end = async (err: unknown, origin: string): Promise<void> => {
    log.fatal({ err, origin }, 'uncaught exception; this process ends; please report it')
    // Later errors follow from the first.
    if (ending) return
    ending = true
    const given = abandon().catch((failure) => log.error({ err: failure }, 'cannot release leases'))
    await withTimeout(given, patienceMillis, () => undefined)
    process.exit(exitCodes.refused)
  }
  process.on('uncaughtException', end)
  return { [Symbol.dispose]: () => void process.off('uncaughtException', end) }
}
