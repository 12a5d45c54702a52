import { GroupOfAnotherLog, InvalidSetting } from '../async/errors.ts'
import { UnavailableError } from '../async/unavailable.ts'
import { ViewQueryError } from '../domain/kernel/view.ts'
import { NotATime } from '../projections/runtime/as-of.ts'
import { NewerVersion } from '../projections/runtime/generation.ts'
import { ProjectionStopped } from '../projections/runtime/projection.ts'
import { RejectedError } from './ask-command.ts'
import { away, type CliFailure, CommandFailed, refused, usage } from './output/exit-codes.ts'

/** An exception as a sentence for a person, and what to do. */
export const failureOf = (error: unknown): CliFailure => {
  if (error instanceof CommandFailed) return error.failure
  if (!(error instanceof Error)) return bug(String(error))
  if (error instanceof UnavailableError) return away(error.message, '`fonds doctor` looks for the cause')
  if (error instanceof GroupOfAnotherLog) return refused(error.message)
  if (error instanceof InvalidSetting)
    return usage(error.message, '`fonds settings --help` lists all settings')
  if (error instanceof ViewQueryError || error instanceof NotATime) return usage(error.message)
  if (error instanceof NewerVersion) return refused(error.message)
  if (error instanceof ProjectionStopped)
    return refused(error.message, 'mend the program (or run a newer one); the views then go on by themselves')
  // Sub-commands throw it where they can return nothing.
  if (error instanceof RejectedError) return refused(error.message)
  // Infra throws these on opening.
  if (error.name === 'ContentRootError') return away(error.message)
  // The message about a file of a newer Fonds says what to do.
  if (error.name === 'NewerFormat') return away(error.message)
  if (error.name === 'DatabaseError')
    return away(error.message, 'is the path right, and may you write there?')
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return refused(`there is no file or folder ${path ?? ''}`.trim())
  if (code === 'ENOTDIR')
    return refused(
      `${path ?? 'the path'} cannot be used as a folder, or lies below a file`,
      'is the path right?',
    )
  if (code === 'EACCES' || code === 'EPERM')
    return away(`${path ?? 'a file'} cannot be used: permission denied`, 'check its owner and permissions')
  if (code === 'ENOSPC') return away('the disk is full', 'make room, then run it again')
  return bug(error.message)
}

const bug = (message: string): CliFailure =>
  refused(
    `something went wrong that should not: ${message}`,
    'please report it; --log-level debug shows where it happened',
  )
