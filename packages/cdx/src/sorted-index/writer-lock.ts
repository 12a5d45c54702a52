import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { IndexUnavailable } from './index-errors.ts'

/**
 * Lets one process change the index at a time. Node has no file locks, but SQLite has: an exclusive
 * transaction ends with its process, however that ends. Throws `IndexUnavailable` while another process has
 * the lock. The result releases it.
 */
export const takeWriterLock = (folder: string): (() => void) => {
  const db = new DatabaseSync(join(folder, 'writer.lock'), { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw new IndexUnavailable(`another process changes the capture index in ${folder}`, { cause })
  }
  return () => db.close()
}
