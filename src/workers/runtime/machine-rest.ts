import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@fonds/toolbox/disk'
import type { Logger } from 'pino'
import { backoffMillis } from '../../async/backoff.ts'
import { errorMessage } from '../../async/errors.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'

const backoff = { minMillis: 10 * SECOND, maxMillis: 300 * SECOND, jitter: 0 }

interface RestOptions {
  readonly clock: Clock
  readonly log: Logger
  /** The worker's name. */
  readonly name: string
  /** Folders that tasks write to: nothing is claimed until they can be written. */
  readonly folders: readonly string[]
}

/**
 * A circuit breaker: after a failure of the machine nothing is claimed for a while, longer each time. Then the folders
 * are tested, and one task is tried, before full concurrency resumes. So work that waits for the machine appends
 * nothing to the log.
 */
export const createMachineRest = ({ clock, log, name, folders }: RestOptions) => {
  let failures = 0
  let until = Number.NEGATIVE_INFINITY
  let warned: string | undefined

  const isResting = () => clock.monotonic() < until

  const failed = (error: unknown) => {
    if (isResting()) return
    until = clock.monotonic() + backoffMillis(failures++, backoff)
    const reason = errorMessage(error)
    if (reason !== warned)
      log.error({ err: error, worker: name }, 'this machine cannot do the work; pausing until it can')
    warned = reason
  }

  return {
    failed,
    /**
     * A success while it rests is of a task begun before, and says nothing. Any other halves the number of failures, so
     * that tasks go on one at a time while others still fail.
     */
    succeeded: () => {
      if (failures === 0 || isResting()) return
      failures >>= 1
      if (failures > 0) return
      log.warn({ worker: name }, 'this machine can work again')
      warned = undefined
    },
    /** Returns how much of the free concurrency may be used now. */
    usable: async (free: number, busy: number): Promise<number> => {
      if (failures === 0) return free
      if (isResting() || busy > 0) return 0
      try {
        await tryToOpen()
        for (const folder of folders) await tryToWrite(folder)
        return Math.min(1, free)
      } catch (error) {
        failed(error)
        return 0
      }
    },
    /** Milliseconds while it rests; else infinite. */
    millisLeft: (): number => (isResting() ? until - clock.monotonic() : Number.POSITIVE_INFINITY),
  }
}

const triedBytes = 64 * 1024

/** Rejects if this process, or the machine, has as many files open as it may. */
export const tryToOpen = async (): Promise<void> => {
  await using _ = await open('/dev/null', 'r')
}

const tryToWrite = async (folder: string): Promise<void> => {
  await makeFolder(folder)
  const path = join(folder, `.${randomUUID()}.tmp`)
  try {
    await using handle = await open(path, 'wx')
    await handle.writeFile(Buffer.alloc(triedBytes))
    await handle.sync()
  } finally {
    await rm(path, { force: true })
  }
}
