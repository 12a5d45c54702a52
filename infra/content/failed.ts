import type { ContentFailure } from '../../src/ports/content-store.ts'

/** Carries a failure out of nested calls; it becomes a value at the port. */
export class Failed extends Error {
  override readonly name = 'Failed'
  readonly failure: ContentFailure

  constructor(failure: ContentFailure) {
    super(failure.kind)
    this.failure = failure
  }
}

export const refused = (path: string, reason: string): Failed => new Failed({ kind: 'Refused', path, reason })

export const unreadable = (path: string, reason: string): Failed =>
  new Failed({ kind: 'Unreadable', path, reason })

export const changed = (path: string): Failed => new Failed({ kind: 'Changed', path })

export const stopped = (path: string): Failed => unreadable(path, 'the reading was stopped')
