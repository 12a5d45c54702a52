import type { RecentEvents } from '../recent-events.ts'

/** What subscribers know of the tail. */
export interface TailView {
  /** Undefined until the first subscription was confirmed. */
  recent(): RecentEvents | undefined
  /** True while `recent` has all events up to the end that the log had at the last connection, and all that came since. */
  live(): boolean
  /** How often connecting has failed, and why the last time. */
  failures(): { readonly count: number; readonly reason: string }
  /** Called when anything of the above changed. Returns the way to stop it. */
  onChange(listener: () => void): () => void
}

interface TailState extends TailView {
  /** Events came; `head` is where the log ended at the connection. True where the tail has become live by them. */
  grow(recent: RecentEvents, head: bigint): boolean
  /** The subscription ended. That counts as a failure unless it was live: then a new one is tried first. */
  interrupt(reason: string): void
  /** No subscription will come. */
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
