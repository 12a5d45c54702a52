import { UnavailableError } from '../async/unavailable.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { System } from './system.ts'

/** Interval at which a running node polls for changed settings: one read of a short stream. */
const pollMillis = 5 * SECOND

type Following = Pick<System, 'settings' | 'clock' | 'log'>

interface Reporting {
  /** Called with a sentence about what needs a start. */
  readonly say: (sentence: string) => void
  /** Publishes this process's settings at once. Throws `UnavailableError`. */
  readonly show: () => Promise<void>
}

/**
 * Applies settings from the log while the process runs, if they take effect at once, and reports those that need a
 * start. Runs until the signal aborts; an unavailable log is polled again.
 */
export const followSettings = async (
  { settings, clock, log }: Following,
  { say, show }: Reporting,
  signal: AbortSignal,
  millis = pollMillis,
): Promise<void> => {
  let reported = ''
  /** Changed, and not published yet. */
  let isDue = false
  let seen = settings.changes()
  while (!signal.aborted) {
    await clock.sleep(millis, signal)
    if (signal.aborted) return
    try {
      await settings.refresh()
      // A question may have read the log before.
      const hasChanged = settings.changes() !== seen
      seen = settings.changes()
      const sentence = whatNeedsStart(settings)
      if (sentence !== reported && sentence !== '') say(sentence)
      reported = sentence
      if (hasChanged) log.info({ settings: 'log' }, 'settings in the log have changed')
      isDue ||= hasChanged
      if (!isDue) continue
      await show()
      isDue = false
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.debug(
        { err: error },
        'cannot read the settings in the log, or publish those in use; retrying at the next poll',
      )
    }
  }
}

const whatNeedsStart = ({ needsStart }: Pick<System['settings'], 'needsStart'>): string => {
  const keys = needsStart()
  return keys.length === 0
    ? ''
    : `${keys.join(', ')} ${keys.length > 1 ? 'were' : 'was'} changed in the log: restart this process to apply ${keys.length > 1 ? 'them' : 'it'}`
}
