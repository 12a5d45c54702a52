/** Worth a retry: the server, or the way to it, may be better soon. The message continues the address. */
export class TransientFailure extends Error {
  override readonly name = 'TransientFailure'
  /** The server's `retry-after`. */
  readonly afterMillis: number

  constructor(message: string, afterMillis = 0, options?: ErrorOptions) {
    super(message, options)
    this.afterMillis = afterMillis
  }
}

/** Not worth a retry. The message continues the address. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure'
}

/** The download has failed, whatever was tried. The message names the address and what to do. */
export class DownloadFailure extends Error {
  override readonly name = 'DownloadFailure'
}
