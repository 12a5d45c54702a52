import { isLeft } from 'fp-ts/lib/Either.js'
import type { System } from './system.ts'

/** A thread that looks cannot be stopped, so that a larger log would keep the process from ending. */
const maxCheckedBytes = 1024 ** 3

/**
 * Looks through the log once, in the background: what works on goes on from memories and checkpoints, and does not read
 * the part that may be damaged. Gives the sentence about what was found; undefined until then, and where nothing was.
 */
export const checkLog = ({
  eventStore,
  log,
}: Pick<System, 'eventStore' | 'log'>): (() => string | undefined) => {
  let found: string | undefined
  const look = async () => {
    const damage = await eventStore.damage(maxCheckedBytes)()
    // Whoever reads a log that is away is told anyhow.
    if (isLeft(damage) || damage.right === undefined) return
    found = damage.right
    log.error(found)
  }
  look().catch((error: unknown) =>
    log.error({ err: error }, 'the log could not be looked through for damage'),
  )
  return () => found
}
