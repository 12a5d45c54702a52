import { MINUTE } from '../../../domain/kernel/time.ts'
import type { SealerSystem } from '../open-sealer.ts'
import { originIn } from '../open-tree.ts'
import { verifiersOf } from '../signers.ts'
import { checkNextPart } from './rolling-check.ts'

/** Between two questions whether a part is due. */
const pollMillis = 5 * MINUTE

/** Compares parts of the log with the tree while it is sealed, and logs differences once for each part that has some. */
export const createRollingCheck = (
  system: Pick<SealerSystem, 'eventStore' | 'proofLog' | 'clock' | 'log'>,
): {
  ifDue(head: string, signal: AbortSignal): Promise<void>
  /** Differences that were found last, by whatever compared them. A sentence each. */
  found(): readonly string[]
} => {
  const { eventStore, clock, log } = system
  let last = Number.NEGATIVE_INFINITY
  let logged: string | undefined
  let found: readonly string[] = []
  return {
    found: () => found,
    ifDue: async (head, signal) => {
      if (clock.monotonic() - last < pollMillis) return
      last = clock.monotonic()
      const files = await system.proofLog()
      const keys = await files.keys()
      if (!keys) return
      const verifiers = verifiersOf(originIn(head), keys)
      const state = await checkNextPart({ eventStore, files, verifiers, head, now: clock.now(), signal })
      found = (state?.differences ?? []).map((one) => `the log is not what was sealed: ${one}`)
      if (!state || state.differences.length === 0 || state.at === logged) return
      logged = state.at
      log.error(
        { part: 'sealer', differences: state.differences },
        'the log is not what was sealed; `fonds proof check` names all differences',
      )
    },
  }
}
