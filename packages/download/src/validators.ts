/** Validators of a resource's state, for conditional requests (RFC 9110, §8.8). */
export interface Validators {
  readonly etag?: string
  /** As the server wrote it. */
  readonly lastModified?: string
}
