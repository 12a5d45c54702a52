import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Returns once a file is on disk, or the names in a folder are. Blocks: for threads that do nothing else. */
export const sync = (path: string): void => {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Paths that are synced at once. */
const atOnce = 32

/**
 * Resolves once all of these files and folders are on disk. They are synced side by side: a file system writes its journal once for
 * all that wait for it, and once for each where one waits after the other. `breathe` is awaited in between; if it throws, the rest
 * is not synced. After a failure none is under way.
 */
export const syncAll = async (
  paths: readonly string[],
  breathe: () => Promise<void> = async () => {},
): Promise<void> => {
  for (let i = 0; i < paths.length; i += atOnce) {
    const synced = await Promise.allSettled(paths.slice(i, i + atOnce).map(syncOne))
    for (const one of synced) if (one.status === 'rejected') throw one.reason
    await breathe()
  }
}

const syncOne = async (path: string): Promise<void> => {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
