/** The root cannot be used: the message says why and what to do. */
export class ContentRootError extends Error {
  override readonly name = 'ContentRootError'
}
