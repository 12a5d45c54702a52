import type { DatabaseSync } from 'node:sqlite'
import { query } from './query.ts'

interface ChangePoll {
  /** Calls the listeners. */
  notify(): void
  /** Called at `notify`, and within `pollMillis` of another process's commit. Returns the way to stop it. */
  onChange(listener: () => void): () => void
  close(): void
}

/** Polls for commits of other processes while anybody listens. */
export const openChangePoll = (db: DatabaseSync, pollMillis: number): ChangePoll => {
  const dataVersion = query<[version: number]>(db, 'PRAGMA data_version')
  const version = () => dataVersion.get()?.[0]
  const listeners = new Set<() => void>()
  let seen = version()
  let timer: NodeJS.Timeout | undefined

  const notify = () => {
    for (const listener of listeners) listener()
  }
  const poll = () => {
    try {
      const now = version()
      if (now === seen) return
      seen = now
    } catch {
      // The file cannot be read now: the next read or write fails with the reason, and the next poll finds the change.
      return
    }
    notify()
  }
  const close = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    notify,
    onChange: (listener) => {
      listeners.add(listener)
      timer ??= setInterval(poll, pollMillis)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) close()
      }
    },
    close,
  }
}
