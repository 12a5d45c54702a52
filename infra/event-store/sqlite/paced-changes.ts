import type { Database } from '../../sqlite/database.ts'

type Changes = Pick<Database, 'onChange'>

/**
 * Tells of a change at once, and of those within `restMillis` of it together: who follows the log stores a checkpoint each
 * time that it reads, which costs more than a commit.
 */
export const pacedChanges = (db: Changes, restMillis: number): Changes => {
  const listeners = new Set<() => void>()
  let stopListening = () => {}
  let timer: NodeJS.Timeout | undefined
  let waits = false

  const tell = () => {
    waits = false
    timer = setTimeout(rested, restMillis)
    for (const listener of listeners) listener()
  }
  const rested = () => {
    timer = undefined
    if (waits) tell()
  }
  const changed = () => {
    if (timer) waits = true
    else tell()
  }

  return {
    onChange: (listener) => {
      if (listeners.size === 0) stopListening = db.onChange(changed)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stopListening()
        clearTimeout(timer)
        timer = undefined
        waits = false
      }
    },
  }
}
