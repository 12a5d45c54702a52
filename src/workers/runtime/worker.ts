export interface WorkerOptions {
  /** Most tasks under way at once. */
  readonly concurrency: number
  /** Threads for the heavy part. */
  readonly threads: number
  readonly bytesPerSecond?: number
  readonly itemsPerSecond?: number
  /** Work is about to come: threads start at once, and nothing is claimed before this resolves. */
  readonly opening?: Promise<void>
  /** Calls back when there may be new work; returns the unsubscribe. */
  readonly onNewWork: (listener: () => void) => () => void
}

export interface RunningWorker {
  readonly name: string
  busy(): number
  /** Why it claims nothing until a person has acted; undefined while it does. */
  refused?(): string | undefined
  stop(graceMillis?: number): Promise<void>
}
