/** Exit codes. */
export const exitCodes = {
  done: 0,
  /** Rejected by the system, or nothing of that name. */
  refused: 1,
  /** Wrong usage of the command line. */
  usage: 2,
  /** A dependency is unavailable: a store, a broker, the server. */
  away: 3,
} as const

/** Why a command failed: a value that every command returns. */
export interface CliFailure {
  readonly kind: Exclude<keyof typeof exitCodes, 'done'>
  /** For a person: one sentence. */
  readonly message: string
  /** The next step for the person. */
  readonly hint?: string
}

const failure =
  (kind: CliFailure['kind']) =>
  (message: string, hint?: string): CliFailure =>
    hint === undefined ? { kind, message } : { kind, message, hint }

export const refused = failure('refused')
export const usage = failure('usage')
export const away = failure('away')

export const exitCodeOf = (outcome: CliFailure | undefined): number => exitCodes[outcome?.kind ?? 'done']

/** Carries a command's failure through commander, whose actions return nothing. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly failure: CliFailure

  constructor(failure: CliFailure) {
    super(failure.message)
    this.failure = failure
  }
}
