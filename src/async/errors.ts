/** The generation was dropped, as when another process replaced it: read the live one again. */
export class GenerationMissing extends Error {
  override readonly name = 'GenerationMissing'
}

/**
 * A consumer group works for another log than this process: the message names the settings and the command that mend
 * it.
 */
export class GroupOfAnotherLog extends Error {
  override readonly name = 'GroupOfAnotherLog'
}

/**
 * A setting cannot be fulfilled: a file that does not exist, a plug-in that is missing, an address that makes no sense.
 * Thrown while things are opened; the message names the setting and says what to do.
 */
export class InvalidSetting extends Error {
  override readonly name = 'InvalidSetting'
}

/** Returns the message of anything thrown: it need not be an error. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
