import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { NewVersion as AskedVersion, SourceFile } from '@fonds/ocfl'
import { StorageRootError } from '@fonds/ocfl'
import type { LayoutConfig } from '@fonds/ocfl/layout'
import type { StorageRoot, StorageRootOptions } from '@fonds/ocfl/root'
import { leaveStaging, type StagingLimits } from '@fonds/ocfl/root'
import { left, right } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { v4 as uuid } from 'uuid'
import { createThreadPool, type ThreadPool } from '../../../src/async/threads/thread-pool.ts'
import { createThreadSlot } from '../../../src/async/threads/thread-slot.ts'
import type { NewVersion, ObjectStore, ObjectStoreFailure } from '../../../src/ports/object-store.ts'
import type { Call, Outcome } from './thread-messages.ts'

export interface OcflOptions {
  /** Layout of a new root; an existing one keeps its own. */
  readonly layout?: LayoutConfig
  readonly staging?: Sweeping
}

interface Sweeping extends Omit<StagingLimits, 'folder'> {
  /** Interval at which a process looks for files that others left. */
  readonly sweepMillis: number
}

/** A write waits for the disk most of the time. Reads do not wait for writes. */
const writers = 3
const readers = 2

/** Roots of older releases have it, too. */
const stagingFolder = 'fonds-staging'

const usual: Sweeping = {
  awayMillis: 5000,
  leftMillis: 24 * 3600_000,
  sweepMillis: 3600_000,
}

/**
 * An OCFL 1.1 storage root on a file system. A process that is killed at any moment leaves a valid root; unfinished
 * writes are finished or dropped when the root is opened next. Throws `StorageRootError` if the folder cannot be used.
 */
export const openOcflStore = async (
  folder: string,
  { layout, staging: sweeping = usual }: OcflOptions = {},
): Promise<ObjectStore> => {
  const root = resolve(folder)
  const { sweepMillis, ...limits } = sweeping
  const staging: StagingLimits = { folder: stagingFolder, ...limits }
  const settings: StorageRootOptions = { root, process: uuid(), staging, ...(layout && { layout }) }
  const writing = createThreadPool(writers, () => slotOf(settings))
  const reading = createThreadPool(readers, () => slotOf(settings))
  const close = async (): Promise<void> => {
    clearTimeout(later)
    clearInterval(interval)
    await Promise.all([writing.close(), reading.close()])
    leaveStaging(root, settings.process, staging)
  }
  const recover = () => ask(reading, 'recover', [])
  const sweep = () => void recover().catch(() => {})
  // For files of a process that was killed a moment ago, and of processes that end while this one runs.
  const later = setTimeout(sweep, limits.awayMillis + 1000).unref()
  const interval = setInterval(sweep, sweepMillis).unref()
  const recovered = await recover()
  if (recovered._tag === 'Left') {
    await close()
    throw new StorageRootError('reason' in recovered.left ? recovered.left.reason : recovered.left.kind)
  }

  return {
    write: (asked, signal) => async () => ask(writing, 'write', [await atHand(asked)], signal),
    head: (object) => () => ask(reading, 'head', [object]),
    files: (object, version) => () => ask(reading, 'files', [object, version]),
    read: (object, path, version) => async () => {
      const found = await ask(reading, 'find', [object, path, version])
      if (found._tag === 'Left') return found
      if (!found.right) return right(undefined)
      const { place, ...file } = found.right
      return right({ ...file, open: () => createReadStream(place) })
    },
    added: (object, version, digest) => () => ask(reading, 'added', [object, version, digest]),
    inspect: (object) => () => ask(reading, 'inspect', [object]),
    list: (after, limit) => () => ask(reading, 'list', [after, limit]),
    setAside: (object, keep) => () => ask(writing, 'setAside', [object, keep]),
    aside: (object) => () => ask(reading, 'aside', [object]),
    close,
  }
}

type Pool = ThreadPool<Call, Outcome, Outcome>
type Answered<A> = Awaited<ReturnType<TaskEither<ObjectStoreFailure, A>>>
type Args<Name extends keyof StorageRoot> = Name extends 'write'
  ? [AskedVersion]
  : Parameters<StorageRoot[Name]>
type AnswerOf<Name extends keyof StorageRoot> = Awaited<ReturnType<StorageRoot[Name]>>

/** Rejects with the reason of the signal, and if there is a bug. */
const ask = async <Name extends keyof StorageRoot>(
  pool: Pool,
  name: Name,
  args: Readonly<Args<Name>>,
  signal?: AbortSignal,
): Promise<Answered<AnswerOf<Name>>> => {
  const outcome = await pool.run({ name, args }, { hear: (message) => message, ...(signal && { signal }) })
  signal?.throwIfAborted()
  switch (outcome?.kind) {
    case 'answer':
      return right(outcome.answer as AnswerOf<Name>)
    case 'failure':
      return left(outcome.failure)
    case 'broken':
      throw outcome.error
    default:
      return left({ kind: 'Unavailable', reason: 'the storage root was closed' })
  }
}

const threadModule = new URL('./thread.ts', import.meta.url)

const slotOf = (settings: StorageRootOptions) =>
  createThreadSlot<Call, Outcome, Outcome>({
    name: 'storage',
    open: () => new Worker(threadModule, { workerData: settings }),
    lost: (reason) => ({ kind: 'failure', failure: { kind: 'Unavailable', reason } }),
    closed: { kind: 'aborted' },
  })

const atHand = async (asked: NewVersion): Promise<AskedVersion> => {
  const files: SourceFile[] = []
  for await (const file of asked.files) files.push(file)
  return { ...asked, files }
}
