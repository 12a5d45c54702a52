/** Redirects are not followed. */
export interface HttpJob {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly body?: string
  /** Fails where the host leads to an address of this machine or of an inner network. */
  readonly publicOnly?: boolean
  /** Path of a file that is the body, read as it is sent. */
  readonly bodyFile?: string
}

export interface Answer extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** To be read once. No more is fetched than is read. Throws `TransientFailure` where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface Asking {
  readonly signal: AbortSignal
  /** Called when the request goes out: a thread may have to start first. */
  readonly begun: () => void
}

/** Requests to servers of others. */
export interface HttpClient {
  /**
   * Follows no redirects. To be disposed of. Throws `TransientFailure`, also when the signal aborts, and `PermanentFailure`
   * where the host leads to an address that may not be asked.
   */
  get(address: string, headers: Readonly<Record<string, string>>, asking: Asking): Promise<Answer>
  /** The same with any of the methods. */
  ask(job: HttpJob, asking: Asking): Promise<Answer>
  close(): Promise<void>
}
