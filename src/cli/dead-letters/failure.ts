import type { DeadLetterFailure } from '../../app/dead-letter-service.ts'
import { away, type CliFailure, refused } from '../output/exit-codes.ts'

export const asCliFailure = (failure: DeadLetterFailure): CliFailure => {
  switch (failure.kind) {
    case 'NotFound':
      return refused(
        `there is no dead letter ${failure.id}`,
        '`fonds dead-letters list --status all` shows them',
      )
    case 'Rejected':
      return refused(failure.rejection.message)
    case 'NotTaken':
      return refused(`it cannot be retried: ${failure.reason}`)
    case 'Unavailable':
      return away(failure.reason, '`fonds doctor` looks for the cause')
  }
}
