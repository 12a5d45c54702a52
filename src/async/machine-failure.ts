import { diskReason } from './disk-reasons.ts'
import { errorMessage } from './errors.ts'
import { isBeneath } from './is-beneath.ts'

/**
 * The machine prevents the work, which says nothing about the item: the item is released, no attempt is used up, and it
 * is retried automatically.
 */
export class MachineFailure extends Error {
  override readonly name: string = 'MachineFailure'
}

/** A disk lacks so many bytes below its threshold: this work waits for them, and other work may go on. */
export class NoRoom extends MachineFailure {
  override readonly name = 'NoRoom'
  readonly missing: number

  constructor(message: string, missing: number) {
    super(message)
    this.missing = missing
  }
}

/**
 * The one table of causes, by the error's code. `always`: no item can cause it. `ours`: the machine's failure in a
 * folder that Fonds writes to; otherwise it concerns the item, or its store.
 */
const causes: Readonly<Record<string, 'always' | 'ours'>> = {
  ENOSPC: 'always',
  EDQUOT: 'always',
  EROFS: 'always',
  EMFILE: 'always',
  ENFILE: 'always',
  ENOMEM: 'always',
  EIO: 'ours',
  EACCES: 'ours',
  EPERM: 'ours',
  ESTALE: 'ours',
  ENOTCONN: 'ours',
  ENODEV: 'ours',
}

/** System calls that write. Fonds writes to its own folders alone. */
const writing: ReadonlySet<unknown> = new Set(
  'write fsync fdatasync ftruncate rename mkdir unlink rmdir rm'.split(' '),
)

/** Undefined if it is no failure of the machine. `ours`: folders that the work writes to. */
export const machineFailure = (error: unknown, ours: readonly string[] = []): MachineFailure | undefined => {
  if (!(error instanceof Error)) return undefined
  if (error instanceof MachineFailure) return error
  const { code, syscall, path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string }
  const cause = causes[String(code)]
  const isOurs =
    writing.has(syscall) || [path, dest].some((one) => typeof one === 'string' && isBeneath(one, ours))
  return cause === 'always' || (cause === 'ours' && isOurs)
    ? new MachineFailure(diskReason(error) ?? errorMessage(error), { cause: error })
    : machineFailure(error.cause, ours)
}
