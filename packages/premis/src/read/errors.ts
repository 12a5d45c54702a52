/** The document is no PREMIS that can be read: the message names the element and the line. */
export class UnreadablePremis extends Error {
  override readonly name = 'UnreadablePremis'
}
