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

/** After the answer, and after each chunk, the thread waits for `go-on`. */
export type HttpReply =
  /** The request goes out now. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly [string, string][] }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  /** `error` continues the address; `isInner`: it leads to no public address. */
  | { readonly kind: 'done'; readonly error?: string; readonly isInner?: boolean }
