import type { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from './files.ts'

/** A newer Fonds has written the file. */
class NewerFormat extends DatabaseError {
  override readonly name = 'NewerFormat'
}

/** Waiting inside the driver blocks the event loop: only while starting is that acceptable. */
export const busyTimeout = { short: 'PRAGMA busy_timeout = 20', long: 'PRAGMA busy_timeout = 10000' }

/** Makes a component's tables where they are missing, and brings older ones to `version` step by step. */
export const ensureSchema = (
  db: DatabaseSync,
  component: string,
  version: number,
  ddl: string,
  upgrades: Readonly<Record<number, string>> = {},
): void => {
  db.exec(`${busyTimeout.long}; BEGIN IMMEDIATE`)
  try {
    db.exec(
      'CREATE TABLE IF NOT EXISTS fonds_schema (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT',
    )
    const found = db.prepare('SELECT version FROM fonds_schema WHERE component = ?').get(component) as
      | { version: number }
      | undefined
    if (found && found.version > version)
      throw new NewerFormat(
        `the ${component} tables have format ${found.version}, this Fonds knows ${version}: run a newer Fonds on this file`,
      )
    if (!found) {
      db.exec(ddl)
      db.prepare('INSERT INTO fonds_schema VALUES (?, ?)').run(component, version)
    } else if (found.version < version) {
      for (let from = found.version; from < version; from++) db.exec(upgrades[from] ?? '')
      db.prepare('UPDATE fonds_schema SET version = ? WHERE component = ?').run(version, component)
    }
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  } finally {
    db.exec(busyTimeout.short)
  }
}
