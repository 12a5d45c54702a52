interface Circumstances extends ErrorOptions {
  /** Of the server's answer, where there was one. */
  readonly status?: number
  /** The server's `retry-after`. */
  readonly afterMillis?: number
  /** What to do once no try is left. */
  readonly advice?: string
}

/** Worth a retry: the server, or the way to it, may be better soon. The message continues the address. */
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

/** Not worth a retry: it is we who refuse. The message continues the address. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** The download has failed, whatever was tried. The message names the address and what to do. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure'
}
