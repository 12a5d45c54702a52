import type { InvalidReason } from '../../domain/kernel/invalid-message.ts'

/** A message of the right shape that says what is not so: no later try will make it so. It becomes a dead letter. */
export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError'
  readonly reason: InvalidReason
  readonly path: string | undefined

  constructor(reason: InvalidReason, message: string, path?: string) {
    super(message)
    this.reason = reason
    this.path = path
  }
}
