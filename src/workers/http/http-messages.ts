/** The thread waits for `go-on` after the answer, and after each chunk. */
export type HttpReply =
  /** The request is sent now. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: readonly [string, string][] }
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array }
  /** `error` continues a sentence that begins with the address; `isInner`: the address is not public. */
  | { readonly kind: 'done'; readonly error?: string; readonly isInner?: boolean }
