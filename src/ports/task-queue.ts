/** The conversation that made a task due: what is reported of it goes on with it. */
export interface InConversation {
  readonly correlationId?: string | undefined
}

/** A task that a worker holds until a deadline. */
export interface Claimed<Task> extends InConversation {
  readonly task: Task
  /** How many hands it takes, and how many tasks it stands for; 1 unless said. */
  readonly hands?: number
  readonly tasks?: number
  /** ISO 8601 UTC. */
  readonly deadline: string
  /** The new deadline; undefined when the claim is lost: drop the work. Throws when it could not be asked. */
  extend(): Promise<string | undefined>
  /** Gives it back unfinished, for somebody else. */
  release(reason: string): Promise<void>
  /** The same where this machine could not do it: for later, so that others go first. Absent: as `release`. */
  defer?(reason: string): Promise<void>
  /** Reports that the attempt failed. */
  fail(reason: string): Promise<void>
}

/** Work that waits for this machine, as its process knows: no claim is asked for it. */
export interface MachineWaiting {
  /** So many may wait. */
  count(): number
  /** Does it still? Looks at the machine. */
  lasts(work: string): Promise<boolean>
}

/** Where a worker takes its work from. Two workers never hold the same task. */
export interface TaskQueue<Task> {
  readonly name: string
  /** Claims work that is due, for at most `limit` hands; none when there is none. */
  take(limit: number): Promise<readonly Claimed<Task>[]>
  /** When the next task becomes due, if one will. */
  nextDue(): Promise<string | undefined>
}
