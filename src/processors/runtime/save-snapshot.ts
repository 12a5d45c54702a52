import type { Logger } from 'pino'
import { Away } from '../../ports/away.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'

/** Only a shortcut for the next start: where it cannot be kept that is told, and work goes on. True when it is kept. */
export const saveSnapshot = async (
  { snapshots, log }: { readonly snapshots: SnapshotStore; readonly log: Logger },
  name: string,
  parts: Iterable<Uint8Array>,
): Promise<boolean> => {
  try {
    await snapshots.save(name, parts)
    return true
  } catch (error) {
    if (!(error instanceof Away)) throw error
    log.warn({ err: error, part: name }, 'the next start will take longer')
    return false
  }
}
