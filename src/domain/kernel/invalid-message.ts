import { clip } from './clip.ts'

/**
 * Why a message cannot be used. It is about the message alone, never about the world: the same bytes are invalid for
 * ever, so they become a dead letter and are not tried again.
 */
export const invalidReasons = [
  'too-large',
  'not-utf8',
  'not-json',
  'not-a-cloud-event',
  'unknown-type',
  'wrong-shape',
  'wrong-key',
  /** It names an event that the log does not hold, or holds with other content. */
  'not-in-the-log',
  /** Its target stream was deleted for good. */
  'stream-deleted',
  /** The log refuses such an event. */
  'refused',
  /** Handling it failed: a bug. */
  'defect',
  /** Process after process died while it handled this message. */
  'kills-process',
] as const
export type InvalidReason = (typeof invalidReasons)[number]

export interface InvalidMessage {
  readonly reason: InvalidReason
  /** Dotted path of the invalid field: `ce_id`, `data.checksums.0.value`. Absent if the whole message is invalid. */
  readonly path?: string
  /** One sentence for a person: what is wrong and what to do. May quote the message: show it escaped. */
  readonly message: string
}

/** Cuts path and sentence: they quote names and values of the message, which may be long. */
export const invalidMessage = (reason: InvalidReason, message: string, path?: string): InvalidMessage =>
  path
    ? { reason, path: clip(path, 200), message: clip(message, 1000) }
    : { reason, message: clip(message, 1000) }
