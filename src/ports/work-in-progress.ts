import type { LockMark } from '../domain/kernel/leader-lease.ts'

/**
 * Work in progress of this process that no claim names: when a process has died, the next one knows what it was doing.
 * It covers the death of a process; a power cut may lose it. Nothing is known if the machine cannot tell that a process
 * has ended (`ProcessLock`), or if the disk refuses writes; the work goes on in any case.
 */
export interface WorkInProgress {
  /**
   * From now on the death of this process is noticed, even if it has nothing in progress. Returns true if another one
   * on its home died before this one began and nobody had noticed it yet, or its entries are unresolved.
   */
  begin(): boolean
  /** Records the work until the returned function is called. `kind`: one line. `what`: the piece, printable ASCII. */
  take(kind: string, what: string): () => void
  /** Work in progress of processes that died, one entry for each death. */
  leftOf(kind: string): readonly LeftWork[]
  /** Locks of other processes on this home whose death nobody has noticed: their files prove it. */
  locks(): readonly LockMark[]
  /** Marks an orderly stop: from now on this process leaves nothing, whatever ends it. */
  close(): void
}

/** A piece of work that was in progress when its process died. */
export interface LeftWork {
  /** Id of this entry. */
  readonly id: string
  /** Once it is removed, none of that process's entries counts any more. */
  readonly file: string
  readonly what: string
  /** That process had unresolved work of other kinds in progress, too, of which it may have died. */
  readonly hasOtherKinds: boolean
  /** Resolves it: the work was done since, or a person has it. */
  resolve(): void
  /** Records it as the cause of that process's death: nothing else that it had in progress counts any more. */
  blame(): void
}
