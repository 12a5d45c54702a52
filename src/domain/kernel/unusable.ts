import { clip } from './clip.ts'

/**
 * Why a message cannot be used. It is about the message alone, never about the world: the same bytes are refused for
 * ever, so they go to the dead letters and are not tried again.
 */
export type UnusableReason =
  | 'too-large'
  | 'not-utf8'
  | 'not-json'
  | 'not-a-cloud-event'
  | 'unknown-type'
  | 'wrong-shape'
  | 'wrong-key'
  /** It tells of an event that the log does not hold, or not so. */
  | 'not-in-the-log'

export interface Unusable {
  readonly reason: UnusableReason
  /** The field at fault, dotted: `ce_id`, `data.checksums.0.value`. Absent where it is the whole. */
  readonly path?: string
  /** One sentence for a person: what is wrong and what to do. May quote the message: show it escaped. */
  readonly message: string
}

/** Names and values of the message stand in the sentence: none may make it a page. */
export const unusable = (reason: UnusableReason, message: string, path?: string): Unusable =>
  path
    ? { reason, path: clip(path, 200), message: clip(message, 1000) }
    : { reason, message: clip(message, 1000) }
