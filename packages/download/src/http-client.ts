/** One request. Redirects are not followed. */
export interface HttpRequest {
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

export interface HttpResponse extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** To be read once. No more is fetched than is read. Throws `TransientFailure` where it breaks off. */
  readonly body: AsyncIterable<Uint8Array>
}

export interface RequestOptions {
  readonly signal: AbortSignal
  /** Called when the request goes out: a thread may have to start first. */
  readonly begun: () => void
}

/** Makes requests. */
export interface HttpClient {
  /**
   * Gets a resource; the response has to be disposed of. Throws `TransientFailure`, also when the signal aborts, and `PermanentFailure`
   * where the host leads to an address that may not be asked.
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
