import type { ExecuteFailure } from '../../processors/runtime/execute.ts'
import { away, type CliFailure, refused } from '../output/exit-codes.ts'

export const notExecuted = (failure: ExecuteFailure): CliFailure => {
  switch (failure.kind) {
    case 'Unavailable':
      return away(failure.reason, '`fonds doctor` looks for the cause')
    case 'Contended':
      return away(`others wrote to ${failure.stream} ${failure.tries} times meanwhile`, 'try again')
    case 'StreamDeleted':
      return refused(`${failure.stream} is permanently deleted and takes no more events`)
    case 'Refused':
      return refused(`the log refuses its events: ${failure.reason}`)
    case 'TooLarge':
      return refused(`its events take ${failure.bytes} bytes, the log accepts ${failure.limit}`)
  }
}
