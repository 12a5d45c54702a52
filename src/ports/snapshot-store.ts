/**
 * Stores snapshots of folded state, so that a start need not fold all events again. Only a shortcut: a snapshot that is
 * missing, damaged or of another log is rebuilt from the events.
 */
export interface SnapshotStore {
  /** Loads the latest snapshot, whole as it was saved; undefined if there is none or it is damaged. */
  load(name: string): Promise<Uint8Array | undefined>
  /** Replaces the previous one atomically. Rejects with `UnavailableError` if it cannot be written. */
  save(name: string, parts: Iterable<Uint8Array>): Promise<void>
  drop(name: string): Promise<void>
}
