import type { WorkflowContext } from '../workflow-context.ts'

interface Leading extends Pick<WorkflowContext, 'clock'> {
  /** Pause before the first time; absent: as before each. */
  readonly firstMillis?: number
  readonly pollMillis: number
  readonly isLeader: () => boolean
}

/**
 * Runs `poll` again and again, each time after a pause, until this process leads no more or it is stopped. Its signal is aborted then. One
 * that rejects ends it, and makes `stop` reject.
 */
export const pollWhileLeading = (
  { clock, pollMillis, firstMillis = pollMillis, isLeader }: Leading,
  poll: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } => {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    for (let pause = firstMillis; ; pause = pollMillis) {
      await clock.sleep(pause, signal)
      if (signal.aborted || !isLeader()) return
      await poll(signal)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
