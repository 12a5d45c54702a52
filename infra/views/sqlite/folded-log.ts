import type { DatabaseSync } from 'node:sqlite'
import type { FoldedLog } from '../../../src/ports/view-store.ts'
import { readEvent } from './event-text.ts'

/** Which log the views of this file are folded from. */
export const createFoldedLogTables = (db: DatabaseSync) => {
  const find = db.prepare('SELECT id FROM folded_log')
  const clear = db.prepare('DELETE FROM folded_log')
  const add = db.prepare('INSERT INTO folded_log VALUES (?)')
  const seenEvents = db.prepare('SELECT event FROM seen_event ORDER BY rowid')
  const clearSeen = db.prepare('DELETE FROM seen_event')
  const addSeen = db.prepare('INSERT INTO seen_event VALUES (?)')
  return {
    /** Undefined in a new file. */
    log: (): FoldedLog | undefined => {
      const id = find.get()?.id as string | undefined
      if (id === undefined) return undefined
      return { id, seen: seenEvents.all().flatMap(({ event }) => readEvent(event as string) ?? []) }
    },
    setLog: ({ id, seen }: FoldedLog): void => {
      clear.run()
      add.run(id)
      clearSeen.run()
      for (const event of seen) addSeen.run(JSON.stringify(event))
    },
  }
}
