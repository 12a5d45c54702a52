import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Returns once a file is on disk, or the names in a folder are. Blocks: for threads that do nothing else. */
export const sync = (path: string): void => {
  const open = openSync(path, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}
