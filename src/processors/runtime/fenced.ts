import { UnavailableError } from '../../async/unavailable.ts'

/** Another process wrote to a stream that this one owns: the state in memory is stale. */
export class Fenced extends UnavailableError {
  override readonly name = 'Fenced'
}
