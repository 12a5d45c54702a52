/** The generation was dropped, as when another process put its successor in its place: look for the live one again. */
export class GenerationGone extends Error {
  override readonly name = 'GenerationGone'
}

/** A consumer group works for another log than this process: the message says which settings and which command mend it. */
export class GroupOfAnotherLog extends Error {
  override readonly name = 'GroupOfAnotherLog'
}

/**
 * A setting means something that cannot be had: a file that is not there, a plug-in that is missing, an address that
 * makes no sense. Thrown while things are opened; the message names the setting and says what to do.
 */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting'
}

/** What anything thrown says: it need not be an error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
