import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { IndexJob, IndexThreads } from '@fonds/cdx/jobs'
import { IndexUnavailable, openIndex, type SortedIndexOptions, UnusableIndex } from '@fonds/cdx/sorted-index'
import { isSystemError } from '@fonds/toolbox'
import { diskReason } from '../../src/async/disk-reasons.ts'
import { InvalidSetting } from '../../src/async/errors.ts'
import { createThreadPool } from '../../src/async/threads/thread-pool.ts'
import { createThreadSlot } from '../../src/async/threads/thread-slot.ts'
import { UnavailableError } from '../../src/async/unavailable.ts'
import { EventPlace } from '../../src/domain/kernel/event-place.ts'
import type { CaptureIndex, RefusedChange } from '../../src/ports/capture-index.ts'
import type { ThreadReply } from './thread.ts'

interface CaptureIndexOptions extends Omit<SortedIndexOptions, 'threads' | 'mergeFiles'> {
  readonly threads?: number
  /** Program that merges runs into plain files: our own code, or GNU sort. */
  readonly sort?: 'own' | 'gnu'
}

/** The folder is created at the first write. Nothing is locked and no thread runs before it is needed. */
export const openCaptureIndex = (
  folder: string,
  { threads = 2, sort = 'own', ...options }: CaptureIndexOptions = {},
): CaptureIndex => {
  const index = openIndex(folder, {
    ...options,
    threads: createIndexThreads(threads),
    ...(sort === 'gnu' && { mergeFiles: gnuMerge }),
  })
  return {
    write: (lines) => orUnavailable(() => index.write(lines)),
    // Refused changes are the given objects, with their events.
    change: (changes) => orUnavailable(() => index.change(changes)) as Promise<readonly RefusedChange[]>,
    changeByHand: (changes) =>
      orUnavailable(() => index.changeByHand(changes)) as Promise<readonly RefusedChange[]>,
    writeFiles: (paths, how) => orUnavailable(() => index.writeFiles(paths, how)),
    exportZipNum: (into, name, how) => orUnavailable(() => index.exportZipNum(into, name, how)),
    position: () => inOurs(() => index.position()),
    place: () =>
      inOurs(async () => {
        const { position, event } = await index.place()
        if (event === undefined) return { position }
        if (!EventPlace.is(event)) throw new UnusableIndex(`${folder} has an unknown shape at event`)
        return { position, event }
      }),
    mergeDue: (how) => orUnavailable(() => index.mergeDue(how)),
    scan: (range) => linesInOurs(index.scan(range)),
    changed: (wanted) => linesInOurs(index.changed(wanted)),
    closest: (wanted) => linesInOurs(index.closest(wanted)),
    runs: () => inOurs(() => index.runs()),
    losses: () => inOurs(() => index.losses()),
    close: () => index.close(),
  }
}

/** Converts errors of the index to those of Fonds. */
const ours = (error: unknown): unknown => {
  if (error instanceof IndexUnavailable) return new UnavailableError(error.message, { cause: error })
  return error instanceof UnusableIndex ? new InvalidSetting(error.message, { cause: error }) : error
}

const inOurs = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    throw ours(error)
  }
}

async function* linesInOurs<A>(lines: AsyncIterable<A>): AsyncGenerator<A> {
  try {
    yield* lines
  } catch (error) {
    throw ours(error)
  }
}

/** Converts disk errors, which the caller tries again; any other error is a bug, or bytes that are no lines. */
const orUnavailable = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await inOurs(work)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UnavailableError(`the capture index cannot be written: ${diskReason(error) ?? error.message}`, {
      cause: error,
    })
  }
}

/** Merges sorted files into a new one, each line once, by the `sort` of the machine. */
const gnuMerge = async (paths: readonly string[], into: string): Promise<void> => {
  const child = spawn('sort', ['-m', '-u', '--files0-from=-', '-o', into], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let errorText = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText += text
  })
  const ended = once(child, 'close')
  // A program that ends before it has read all says why on its standard error.
  child.stdin.on('error', () => {})
  child.stdin.end(paths.map((path) => `${path}\0`).join(''))
  const [code] = await ended.catch((error: Error) => {
    throw new UnavailableError(`GNU sort cannot be run (FONDS_INDEXING_SORT=gnu): ${error.message}`)
  })
  if (code !== 0)
    throw new UnavailableError(
      `GNU sort failed (FONDS_INDEXING_SORT=gnu): ${errorText.trim() || `it ended with ${code}`}`,
    )
}

const createIndexThreads = (threads: number): IndexThreads => {
  const pool = createThreadPool<IndexJob, ThreadReply, ThreadReply>(threads, () =>
    createThreadSlot({
      name: 'capture index',
      open: () => new Worker(new URL('./thread.ts', import.meta.url)),
      lost: (error) => ({ kind: 'failed', error: new Error(error), fields: {} }),
      closed: { kind: 'failed', error: new Error('the capture index was closed'), fields: {} },
    }),
  )
  return {
    run: async (job) => {
      const reply = await pool.run(job, { hear: (message) => message })
      if (!reply) throw new Error('the capture index is closed')
      if (reply.kind === 'failed') throw Object.assign(reply.error, reply.fields)
      return reply.result
    },
    close: () => pool.close(),
  }
}
