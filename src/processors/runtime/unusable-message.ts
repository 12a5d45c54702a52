import type { UnusableReason } from '../../domain/kernel/unusable.ts'

/** A message of the right shape that says what is not so: no later try will make it so. It becomes a dead letter. */
export class UnusableMessage extends Error {
  override readonly name = 'UnusableMessage'
  readonly reason: UnusableReason
  readonly path: string | undefined

  constructor(reason: UnusableReason, message: string, path?: string) {
    super(message)
    this.reason = reason
    this.path = path
  }
}
