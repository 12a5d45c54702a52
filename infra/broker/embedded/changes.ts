import type { Database } from '../../sqlite/database.ts'
import { query } from '../../sqlite/query.ts'

interface ChangeListener {
  /** The partition has new records. */
  grown(partitionId: number): void
  /** Members of the group came, went or gave partitions up. */
  shifted(groupId: number): void
}

export interface Changes {
  /** Returns the way to stop listening. */
  listen(listener: ChangeListener): () => void
}

/** Finds out what a commit changed, here or in another process: one read of two small tables serves all consumers. */
export const createChanges = (db: Database): Changes => {
  const ends = watched(db, 'broker_partitions', 'end_offset')
  const generations = watched(db, 'broker_groups', 'generation')
  const listeners = new Set<ChangeListener>()
  let stopListening: (() => void) | undefined

  const poll = (): void => {
    try {
      for (const id of ends()) for (const listener of listeners) listener.grown(id)
      for (const id of generations()) for (const listener of listeners) listener.shifted(id)
    } catch {
      // The file cannot be read now. The next commit, a heartbeat's at the latest, finds what changed.
    }
  }

  return {
    listen: (listener) => {
      listeners.add(listener)
      stopListening ??= db.onChange(poll)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopListening?.()
        stopListening = undefined
      }
    },
  }
}

/** Ids whose number has changed since the last call. */
const watched = (db: Database, table: string, column: string): (() => readonly number[]) => {
  // Numbers only grow. Most commits are of the log alone: then this is all that is read.
  const mark = query<[rows: number, last: number | null, sum: number]>(
    db.reader,
    `SELECT count(*), max(id), total(${column}) FROM ${table}`,
  )
  const rows = query<[id: number, value: number]>(db.reader, `SELECT id, ${column} FROM ${table}`)
  const seen = new Map<number, number>()
  let marked = ''
  return () => {
    const now = String(mark.get())
    if (now === marked) return []
    const changed: number[] = []
    for (const [id, value] of rows.all()) {
      if (seen.get(id) === value) continue
      seen.set(id, value)
      changed.push(id)
    }
    marked = now
    return changed
  }
}
