/**
 * Keeps what was folded from events, so that a start need not fold them all again. Only a shortcut: whatever is missing,
 * broken or of another log is made anew from the events.
 */
export interface SnapshotStore {
  /** The latest one, whole as it was saved; undefined where there is none or it is damaged. */
  load(name: string): Promise<Uint8Array | undefined>
  /** Takes the place of the one before at once, or not at all. Rejects with `UnavailableError` when it cannot be written. */
  save(name: string, parts: Iterable<Uint8Array>): Promise<void>
  drop(name: string): Promise<void>
}
