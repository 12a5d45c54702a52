import type { RecentEvents } from '../recent-events.ts'

/** The subscribers' view of the tail. */
export interface TailView {
  /** Undefined until the first subscription was confirmed. */
  recent(): RecentEvents | undefined
  /**
   * Returns true while `recent` has all events up to the end that the log had at the last connection, and all later
   * ones.
   */
  live(): boolean
  /** Number of failed connections, with the reason of the last failure. */
  failures(): { readonly count: number; readonly reason: string }
  /** Calls `listener` when any of the above has changed. Returns a function that stops this. */
  onChange(listener: () => void): () => void
}

interface TailState extends TailView {
  /** Adds events; `head` is the end of the log at the connection. Returns true if the tail has become live by them. */
  grow(recent: RecentEvents, head: bigint): boolean
  /** Ends the subscription. That counts as a failure unless it was live: then a new one is tried first. */
  interrupt(reason: string): void
  /** Reports that there will be no subscription. */
  end(reason: string): void
}

export const createTailState = (): TailState => {
  const listeners = new Set<() => void>()
  let recent: RecentEvents | undefined
  let live = false
  let failures = { count: 0, reason: '' }

  const notify = () => {
    for (const listener of [...listeners]) listener()
  }
  const fail = (reason: string) => {
    failures = { count: failures.count + 1, reason }
  }

  return {
    recent: () => recent,
    live: () => live,
    failures: () => failures,
    onChange: (listener) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    grow: (grown, head) => {
      recent = grown
      const hasBecomeLive = !live && grown.top() >= head
      if (hasBecomeLive) live = true
      notify()
      return hasBecomeLive
    },
    interrupt: (reason) => {
      if (!live) fail(reason)
      live = false
      notify()
    },
    end: (reason) => {
      fail(reason)
      live = false
      notify()
    },
  }
}
