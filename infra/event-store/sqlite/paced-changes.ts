import type { Database } from '../../sqlite/database.ts'

type Changes = Pick<Database, 'onChange'>

/** Rests that nobody needed are saved, up to so many: after a quiet time one change often leads to another, and somebody waits for the last. */
const maxSaved = 20
/** Changes of one turn are told together. */
const leastMillis = 1

/**
 * Tells of changes once in `restMillis`, or sooner after a quiet time: who follows the log stores a checkpoint each time that it
 * reads, which costs more than a commit.
 */
export const pacedChanges = (db: Changes, restMillis: number): Changes => {
  const listeners = new Set<() => void>()
  let stopListening = () => {}
  let timer: NodeJS.Timeout | undefined
  let waits = false
  let saved = maxSaved
  let savedAt = 0

  const notify = () => {
    waits = false
    const now = performance.now()
    saved = Math.min(maxSaved, saved + (now - savedAt) / restMillis) - 1
    savedAt = now
    timer = setTimeout(rested, saved >= 1 ? leastMillis : Math.max(leastMillis, (1 - saved) * restMillis))
    for (const listener of listeners) listener()
  }
  const rested = () => {
    timer = undefined
    if (waits) notify()
  }
  const changed = () => {
    if (timer) waits = true
    else notify()
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
