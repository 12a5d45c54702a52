/** Correlation of the message that made a task due: reports about the task carry it on. */
export interface Correlated {
  readonly correlationId?: string | undefined
}

/** A task that a worker holds until a deadline. */
export interface Claimed<Task> extends Correlated {
  readonly task: Task
  /** How much concurrency it takes, and how many tasks it stands for; 1 by default. */
  readonly concurrency?: number
  readonly tasks?: number
  /** ISO 8601 UTC. */
  readonly deadline: string
  /**
   * Extends the claim. Returns the new deadline; undefined if the claim is lost: drop the work. Throws if the queue
   * could not be asked.
   */
  extend(): Promise<string | undefined>
  /** Releases it unfinished, for another worker. `until`: earliest time of the next claim, of queues that know such a time. */
  release(reason: string, until?: string): Promise<void>
  /** Releases a task that this machine could not do, and defers it, so that others go first. Absent: as `release`. */
  defer?(reason: string): Promise<void>
  /** Reports that the attempt failed. */
  fail(reason: string): Promise<void>
  /** Called once this process works on it no longer, however it ended. */
  over?(): void
}

/** Work that waits for this machine, as its process knows: it is not claimed. */
export interface MachineWaiting {
  /** At most so many wait. */
  count(): number
  /** Checks the machine. Returns true if the work still waits. */
  lasts(work: string): Promise<boolean>
}

/** The source of a worker's tasks. Two workers never hold the same task. */
export interface TaskQueue<Task> {
  readonly name: string
  /** Claims work that is due, up to a concurrency of `limit`; none if none is due. */
  take(limit: number): Promise<readonly Claimed<Task>[]>
  /**
   * When the first task becomes due behind `since`, if any will. `since`: time of the last poll that found nothing (now, if
   * absent). What became due right after that poll counts, though it is due by now: it would wait for the next one.
   */
  nextDue(since?: string): Promise<string | undefined>
}
