import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { DownloadFailure } from '@fonds/download'
import { MachineFailure, NoRoom } from '../../../async/machine-failure.ts'
import type { TaskContext } from '../../../async/task-context.ts'
import { createThreadPool } from '../../../async/threads/thread-pool.ts'
import { createThreadSlot } from '../../../async/threads/thread-slot.ts'
import type { LocalCopy } from '../fetch/copy-local.ts'
import { type Fetched, WrongContent } from '../fetch/wanted.ts'
import type { Container } from '../unpack/unpack.ts'
import type { UnpackedFile } from '../unpack/write-entry.ts'
import type { FileJob, FileOutcome, FileReply } from './file-messages.ts'
import { UnusableContent } from './write-file.ts'
import type { TextFile } from './write-files.ts'

/**
 * Operations on files of work folders, in threads: a blocking call costs a third of a non-blocking one. All throw the
 * reason of the signal; those that write submitted content also throw `NoRoom`.
 */
export interface FileWork {
  /** Throws `DownloadFailure` and `WrongContent`. */
  copy(copy: LocalCopy, context: TaskContext): Promise<Fetched>
  /** Writes files one after the other, in this order. */
  write(files: readonly TextFile[], context: TaskContext): Promise<void>
  /** Writes the files of a container, in its order. Throws `UnusableContent`. */
  unpack(container: Container, context: TaskContext): Promise<Unpacked>
  close(): Promise<void>
}

export interface Unpacked {
  readonly files: readonly UnpackedFile[]
  /** Sentences on what the container has beside them. */
  readonly warnings: readonly string[]
}

/** Small files do not wait for large ones. */
const smallBytes = 16 * 1024 ** 2
const smallThreads = 2

/**
 * `unpackings`: containers unpacked at once, as many as there are concurrent jobs, so that a slow one delays no other.
 * `roomPercent`: percentage of a disk that may be in use.
 */
export const createFileWork = (stallMillis: number, unpackings = 4, roomPercent = 100): FileWork => {
  const slot = () => slotOf(stallMillis)
  const small = createThreadPool(smallThreads, slot)
  const large = createThreadPool(availableParallelism(), slot)
  const unpacking = createThreadPool(unpackings, slot)

  const run = async (
    pool: typeof small,
    job: FileJob,
    { signal, progress }: TaskContext,
    onFiles: (files: readonly UnpackedFile[]) => void = () => {},
  ): Promise<FileOutcome> => {
    const hear = (reply: FileReply): FileOutcome | undefined => {
      if (reply.kind === 'done') return reply.outcome
      progress()
      if (reply.kind === 'files') onFiles(reply.files)
      return undefined
    }
    const outcome = await pool.run(job, { hear, onWait: progress, signal })
    signal.throwIfAborted()
    if (outcome?.kind === 'no-room') throw new NoRoom(outcome.message, outcome.missing)
    if (outcome?.kind === 'failed') throw errorOf(outcome)
    if (!outcome || outcome.kind === 'aborted') throw new Error('the work with files was stopped')
    return outcome
  }

  return {
    copy: async (copy, context) => {
      const isSmall = copy.size !== undefined && copy.size <= smallBytes
      const outcome = await run(isSmall ? small : large, { kind: 'copy', copy, roomPercent }, context)
      if (outcome.kind !== 'copied') throw new Error(`the thread said ${outcome.kind}`)
      return outcome.fetched
    },
    write: async (files, context) => {
      await run(small, { kind: 'write', files }, context)
    },
    unpack: async (container, context) => {
      const files: UnpackedFile[] = []
      const job: FileJob = { kind: 'unpack', container, roomPercent }
      const outcome = await run(unpacking, job, context, (more) => files.push(...more))
      if (outcome.kind !== 'unpacked') throw new Error(`the thread said ${outcome.kind}`)
      return { files, warnings: outcome.warnings }
    },
    close: async () => {
      await Promise.all([small, large, unpacking].map((pool) => pool.close()))
    },
  }
}

const errorOf = ({ because, message }: Extract<FileOutcome, { kind: 'failed' }>): Error => {
  if (because === 'machine') return new MachineFailure(message)
  if (because === 'source') return new DownloadFailure(message)
  if (because === 'unusable') return new UnusableContent(message)
  return because === 'content' ? new WrongContent(message) : new Error(message)
}

const threadModule = new URL('./file-thread.ts', import.meta.url)

const slotOf = (stallMillis: number) =>
  createThreadSlot<FileJob, FileReply, FileOutcome>({
    name: 'file',
    open: () => new Worker(threadModule),
    stallMillis,
    stalled: `a file gave no byte for ${stallMillis / 1000} s; check its disk, then try again`,
    lost: (message) => ({ kind: 'failed', because: 'other', message }),
    closed: { kind: 'aborted' },
  })
