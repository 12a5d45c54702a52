/** Digests bytes. */
export interface Hasher {
  update(chunk: Uint8Array): unknown
  /** Lower-case hex; ends it. */
  digest(): string
}
