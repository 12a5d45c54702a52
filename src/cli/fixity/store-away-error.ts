/** Nothing that is recorded of the store is found: exit code 3. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError'
  readonly store: string

  constructor(message: string, store: string) {
    super(message)
    this.store = store
  }
}

export const whatIfGone = (store: string): string =>
  `mount it, or let Fonds read it; once it is found, its checks go on by themselves. Only if its content is gone: \`fonds do fixity.declare-gone store=${store}\``
