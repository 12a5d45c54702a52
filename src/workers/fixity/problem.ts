import type { ContentFailure } from '../../ports/content-store.ts'

/** A problem of a manifest or a bag that a person must resolve. */
export interface Problem {
  readonly kind: 'problem'
  /** Path of the manifest, of the file it is about, or of the bag's folder; `.` is the root. */
  readonly path: string
  /** From 1. */
  readonly line?: number
  readonly reason: string
}

export const failureText = (failure: ContentFailure): string => {
  switch (failure.kind) {
    case 'NotFound':
      return 'it is not there'
    case 'Changed':
      return 'it changed while it was read'
    case 'Refused':
    case 'Machine':
    case 'Unreadable':
      return failure.reason
  }
}
