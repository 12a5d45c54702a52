import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from './system.ts'

/** The check runs in a thread that cannot be stopped: with a larger log it would keep the process from ending. */
const maxCheckedBytes = 1024 ** 3

/**
 * Reads the whole log once, in the background: the roles go on from snapshots and checkpoints, and may never read the part
 * that is damaged. Returns what gives the sentence about the damage: undefined before it is found, and where there is none.
 */
export const checkLog = ({
  eventStore,
  log,
}: Pick<System, 'eventStore' | 'log'>): (() => string | undefined) => {
  let found: string | undefined
  const check = async () => {
    const damage = await eventStore.damage(maxCheckedBytes)()
    // That the log is away is reported by whoever reads it.
    if (isLeft(damage) || damage.right === undefined) return
    found = damage.right
    log.error(found)
  }
  check().catch((error: unknown) => log.error({ err: error }, 'cannot check the log for damage'))
  return () => found
}
