import { UnavailableError } from '../../async/unavailable.ts'

/** Somebody else wrote to a stream that is ours alone: what is in memory is no longer true. */
export class Fenced extends UnavailableError {
  override readonly name = 'Fenced'
}
