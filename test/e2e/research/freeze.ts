import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import type { Started } from '../run-fonds.ts'

/**
 * Stops a process as a hung machine is stopped, but never while it writes to a file of the home: what hangs there holds up
 * all others of this machine, which is no story about leases.
 */
export const freeze = async ({ child }: Pick<Started, 'child'>, home: string): Promise<void> => {
  for (;;) {
    child.kill('SIGSTOP')
    if (databasesIn(home).every(isFree)) return
    child.kill('SIGCONT')
    await setTimeout(2)
  }
}

export const thaw = ({ child }: Pick<Started, 'child'>): void => {
  child.kill('SIGCONT')
}

const databasesIn = (home: string): readonly string[] =>
  readdirSync(home)
    .filter((name) => name.endsWith('.db'))
    .map((name) => join(home, name))

/** Others write as well: they are done within moments. */
const isFree = (file: string): boolean => {
  const db = new DatabaseSync(file, { timeout: 500 })
  try {
    db.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch {
    return false
  } finally {
    db.close()
  }
}
