/** Redirects are not followed. */
export interface HttpJob {
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Default: GET. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly body?: string
}

/** After the answer, and after each chunk, the thread waits for `go-on`. */
export type HttpReply =
  /** The request goes out now. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly [string, string][] }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  /** `error` continues the address. */
  | { readonly kind: 'done'; readonly error?: string }
