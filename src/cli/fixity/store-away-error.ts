import { away, CommandFailed } from '../output/exit-codes.ts'
import { visible } from '../output/text.ts'

/** Nothing that is recorded of the store is found: exit code 3. */
export class StoreAwayError extends CommandFailed {
  constructor(message: string, store: string) {
    super(away(message, adviceOnLoss(store)))
  }
}

/** A bucket does not answer, or refuses: nothing is known of what it holds. Exit code 3. */
export class BucketAwayError extends CommandFailed {
  constructor(store: string, root: string, why: string) {
    super(
      away(`store ${store} is away: ${visible(root)} cannot be read: ${visible(why)}`, bucketAdvice(root)),
    )
  }
}

const bucketAdvice = (root: string): string =>
  `check bucket, endpoint (\`fonds settings\`) and keys (AWS_ACCESS_KEY_ID …); \`fonds storage policy ${visible(root)}\` prints the rights that Fonds needs. Then run it again: what is recorded stays as it is`

export const adviceOnLoss = (store: string): string =>
  `mount it, or let Fonds read it; once it is found, its checks go on by themselves. Only if its content is gone: \`fonds do fixity.declare-gone store=${store}\``
