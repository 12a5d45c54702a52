/** Worth another try: the server or the way to it may be better soon. The message goes on from the address. */
export class Passing extends Error {
  override readonly name = 'Passing'
  /** What the server asks to wait. */
  readonly afterMillis: number

  constructor(message: string, afterMillis = 0, options?: ErrorOptions) {
    super(message, options)
    this.afterMillis = afterMillis
  }
}

/** Not worth one. The message goes on from the address. */
export class Refused extends Error {
  override readonly name = 'Refused'
}
