interface Circumstances extends ErrorOptions {
  /** Status of the response, if there was one. */
  readonly status?: number
  /** The server's `Retry-After`, in milliseconds. */
  readonly afterMillis?: number
  /** Advice to a person once no try is left. */
  readonly advice?: string
}

/**
 * A failure that a retry may resolve: of the server, or of the connection to it. The message continues the
 * address.
 */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure'
  readonly status: number | undefined
  readonly afterMillis: number
  readonly advice: string

  constructor(
    message: string,
    { status, afterMillis = 0, advice = 'try again later', ...options }: Circumstances = {},
  ) {
    super(message, options)
    this.status = status
    this.afterMillis = afterMillis
    this.advice = advice
  }
}

/** A request that is refused here: a retry changes nothing. The message continues the address. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** A download that failed for good. The message names the address and says what to do. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure'
}
