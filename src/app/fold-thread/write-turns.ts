import { SECOND } from '../../domain/kernel/time.ts'
import type { ViewStore } from '../../ports/view-store.ts'

/**
 * Two threads write the views' file. SQLite lets one wait by polling, with pauses in which the other begins its next
 * transaction: so they take turns, and the main thread goes first. This only saves waiting; correctness does not depend
 * on it.
 */
export interface SharedTurns {
  /** 1 while the main thread writes, or waits to. */
  readonly mainWants: Int32Array<SharedArrayBuffer>
  /** 1 while the other thread writes. */
  readonly threadWrites: Int32Array<SharedArrayBuffer>
}

/** Milliseconds after which a waiting thread proceeds by SQLite's own locks: the other one may be dead. */
const patience = 5 * SECOND

export const shareTurns = (): SharedTurns => {
  const shared = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)
  return { mainWants: new Int32Array(shared, 0, 1), threadWrites: new Int32Array(shared, 4, 1) }
}

/** Releases the turn of a thread that has ended. */
export const releaseTurn = ({ threadWrites }: SharedTurns): void => {
  Atomics.store(threadWrites, 0, 0)
}

/**
 * The main thread's views: their writes wait only for the other thread's transaction. Checkpoints that pass no event
 * wait for none.
 */
export const takingTurns = (viewStore: ViewStore, { mainWants, threadWrites }: SharedTurns): ViewStore => {
  const inTurn =
    <Of extends readonly unknown[], A>(write: (...of: Of) => A) =>
    (...of: Of): A => {
      Atomics.store(mainWants, 0, 1)
      Atomics.wait(threadWrites, 0, 1, patience)
      try {
        return write(...of)
      } finally {
        Atomics.store(mainWants, 0, 0)
        Atomics.notify(mainWants, 0)
      }
    }
  return {
    ...viewStore,
    fold: inTurn(viewStore.fold),
    bindTo: inTurn(viewStore.bindTo),
    create: inTurn(viewStore.create),
    promote: inTurn(viewStore.promote),
    drop: inTurn(viewStore.drop),
    dropHistory: inTurn(viewStore.dropHistory),
  }
}

/** The views of the thread that folds: it begins no transaction while the main thread waits for one. */
export const givingWay = (viewStore: ViewStore, { mainWants, threadWrites }: SharedTurns): ViewStore => {
  const end = () => {
    Atomics.store(threadWrites, 0, 0)
    Atomics.notify(threadWrites, 0)
  }
  const begin = () => {
    for (let isOver = false; ; ) {
      // Stored before `mainWants` is read, so that one of the two sees the other.
      Atomics.store(threadWrites, 0, 1)
      if (isOver || Atomics.load(mainWants, 0) === 0) return
      end()
      isOver = Atomics.wait(mainWants, 0, 1, patience) === 'timed-out'
    }
  }
  return {
    ...viewStore,
    fold: (...of) => {
      begin()
      try {
        return viewStore.fold(...of)
      } finally {
        end()
      }
    },
  }
}
