/** After the answer, and after each chunk, the thread waits for `go-on`. */
export type HttpReply =
  /** The request goes out now. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly [string, string][] }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  /** `error` continues the address; `isInner`: it leads to no public address. */
  | { readonly kind: 'done'; readonly error?: string; readonly isInner?: boolean }
