import type { LockMark } from '../domain/kernel/leader-lease.ts'

/**
 * What this process has in hand and no claim names: of a process that died the next one knows what it was at. It is for the
 * death of a process: a power cut may lose it. Nothing is known where the machine cannot tell that a process has ended
 * (`ProcessLock`), or where the disk takes nothing; the work goes on in any case.
 */
export interface WorkInHand {
  /**
   * From now on the death of this process is seen, even where it has nothing in hand. True where another one on its home
   * died before this one began, and nobody had seen it yet, or what it left is not settled.
   */
  begin(): boolean
  /** Names it until the returned function is called. `kind`: one line. `what`: the piece, printable ASCII. */
  take(kind: string, what: string): () => void
  /** What processes had in hand when they died, one entry for each death. */
  leftOf(kind: string): readonly LeftInHand[]
  /** Of others on this home whose death nobody has seen: their files are the proof of one. */
  locks(): readonly LockMark[]
  /** This process stops in order: from now on it leaves nothing, whatever ends it. */
  close(): void
}

/** A piece of work that was in the hands of a process that died. */
export interface LeftInHand {
  /** Names this entry. */
  readonly id: string
  /** Removed, none of that process's entries counts any more. */
  readonly file: string
  readonly what: string
  /** That process had other kinds of work in hand, too, which are not settled: they may be what it died of. */
  readonly hasOtherKinds: boolean
  /** It was done since, or a person has it: it counts no more. */
  settle(): void
  /** That process died of it: nothing else that it had in hand counts any more. */
  blame(): void
}
