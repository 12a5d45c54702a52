import { dirname } from 'node:path'
import { DownloadFailure } from '@fonds/download'
import { diskReason } from '../../../async/disk-reasons.ts'
import { errorMessage } from '../../../async/errors.ts'
import { machineFailure, NoRoom } from '../../../async/machine-failure.ts'
import { breather } from '../../../async/threads/breather.ts'
import { runJobs } from '../../../async/threads/run-jobs.ts'
import { createBlockingRooms, type TakeRoom } from '../../runtime/room.ts'
import { copyLocal } from '../fetch/copy-local.ts'
import { WrongContent } from '../fetch/wanted.ts'
import { type Container, unpack } from '../unpack/unpack.ts'
import type { UnpackedFile } from '../unpack/write-entry.ts'
import type { FileJob, FileOutcome, FileReply } from './file-messages.ts'
import { UnusableContent } from './write-file.ts'
import { writeFiles } from './write-files.ts'

/* Main module of a thread that copies, writes and unpacks files of work folders. */

/** Interval of progress messages, and of checks for an abort. */
const breatheMillis = 100

runJobs<FileJob, FileReply>('file-thread.ts is run by the ingester', async (job, post, signal) => {
  const breathe = breather(breatheMillis, signal, () => post({ kind: 'progress' }))
  post({ kind: 'done', outcome: await outcomeOf(job, breathe, post, signal) })
})

type Post = (reply: FileReply) => void

async function outcomeOf(
  job: FileJob,
  breathe: () => Promise<void>,
  post: Post,
  signal: AbortSignal,
): Promise<FileOutcome> {
  try {
    if (job.kind === 'copy')
      return { kind: 'copied', fetched: await copyLocal(job.copy, breathe, roomOf(job)) }
    if (job.kind === 'unpack') return await unpackAll(job.container, breathe, roomOf(job), post)
    writeFiles(job.files)
    return { kind: 'written' }
  } catch (error) {
    if (signal.aborted) return { kind: 'aborted' }
    if (error instanceof NoRoom) return { kind: 'no-room', message: error.message, missing: error.missing }
    const machine = machineFailure(error, foldersOf(job))
    if (machine) return { kind: 'failed', because: 'machine', message: machine.message }
    return { kind: 'failed', because: causeOf(error), message: diskReason(error) ?? errorMessage(error) }
  }
}

function roomOf(job: Extract<FileJob, { kind: 'copy' | 'unpack' }>): TakeRoom {
  const folder = job.kind === 'copy' ? dirname(job.copy.to) : dirname(job.container.into)
  return createBlockingRooms(job.roomPercent).writer(folder)
}

function causeOf(error: unknown): Extract<FileOutcome, { kind: 'failed' }>['because'] {
  if (error instanceof DownloadFailure) return 'source'
  if (error instanceof WrongContent) return 'content'
  return error instanceof UnusableContent ? 'unusable' : 'other'
}

/** A message of all files at once would block its reader. */
const filesAtOnce = 1000

async function unpackAll(
  container: Container,
  breathe: () => Promise<void>,
  takeRoom: TakeRoom,
  post: Post,
): Promise<FileOutcome> {
  let files: UnpackedFile[] = []
  const unpacking = unpack(container, breathe, takeRoom)
  for (;;) {
    const { done, value } = await unpacking.next()
    if (done) {
      post({ kind: 'files', files })
      return { kind: 'unpacked', warnings: value }
    }
    files.push(value)
    if (files.length < filesAtOnce) continue
    post({ kind: 'files', files })
    files = []
  }
}

/** Returns the folders that the job writes to. */
function foldersOf(job: FileJob): readonly string[] {
  switch (job.kind) {
    case 'copy':
      return [job.copy.to, job.copy.beside].map((path) => dirname(path))
    case 'write':
      return job.files.map(({ path }) => dirname(path))
    case 'unpack':
      return [dirname(job.container.into)]
  }
}
