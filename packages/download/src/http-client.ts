/** One request. Redirects are not followed. */
export interface HttpRequest {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly body?: string
  /** Fails if the host leads to an address of this machine or of an inner network. */
  readonly publicOnly?: boolean
  /** The body comes as it is sent, whatever coding the server names for it; else the coding is undone. */
  readonly asSent?: boolean
  /** Path of a file that is the body, read as it is sent. */
  readonly bodyFile?: string
}

export interface HttpResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** To be read once. Fetches no more than is read. Throws `TransientFailure` if it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Called when the request is sent: a thread may have to start first. */
  readonly begun: () => void
}

/** Makes requests. */
export interface HttpClient {
  /**
   * Gets a resource; the response must be disposed of. Throws `TransientFailure`, also when the signal
   * aborts, and `PermanentFailure` if the host leads to an address that is not allowed.
   */
  get(
    address: string,
    headers: Readonly<Record<string, string>>,
    asking: RequestOptions,
  ): Promise<HttpResponse>
  /** Makes a request of any method. */
  ask(job: HttpRequest, asking: RequestOptions): Promise<HttpResponse>
  close(): Promise<void>
}
