import { away, CommandFailed } from '../output/exit-codes.ts'

/** Nothing that is recorded of the store is found: exit code 3. */
export class StoreAwayError extends CommandFailed {
  constructor(message: string, store: string) {
    super(away(message, adviceOnLoss(store)))
  }
}

export const adviceOnLoss = (store: string): string =>
  `mount it, or let Fonds read it; once it is found, its checks go on by themselves. Only if its content is gone: \`fonds do fixity.declare-gone store=${store}\``
