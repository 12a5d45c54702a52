import type { InvalidReason } from '../../domain/kernel/invalid-message.ts'

/** A message of the right shape whose content is untrue: no retry can change that. It becomes a dead letter. */
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
