import { access, constants, statfs } from 'node:fs/promises'
import { backoffMillis } from '../../async/backoff.ts'
import { type MachineFailure, NoRoom } from '../../async/machine-failure.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../domain/kernel/time.ts'
import type { Clock } from '../../ports/clock.ts'
import type { MachineWaiting } from '../../ports/task-queue.ts'
import { tryToOpen } from './machine-rest.ts'

/** Work that this machine could not do. Its process claims none of it before the machine has improved. */
export interface MachineWaits extends MachineWaiting {
  /** Makes the work wait. Returns the milliseconds for which it is offered to nobody: longer each time. */
  begin(work: string, failure: MachineFailure): Promise<number>
  /** The work was done. */
  over(work: string): void
}

interface Wait {
  /** Number of failures in a row. */
  readonly failures: number
  /** By the monotonic clock. */
  readonly notBefore: number
  /** When it is tried again in any case: the cause may be one that cannot be observed. */
  readonly anyway: number
  /** Bytes without which it fails again. */
  readonly wanted: number
  readonly seen: Machine
  askedAt: number
}

/** State of the machine, as far as it can be read without a write. */
export interface Machine {
  readonly opensFiles: boolean
  readonly folders: readonly Folder[]
}

interface Folder {
  readonly isWritable: boolean
  /** Free bytes of its disk. */
  readonly freeBytes: number
  readonly freeFiles: number
}

interface WaitsOptions {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Folders that the work writes to. */
  readonly folders: readonly string[]
  readonly probe?: (folders: readonly string[]) => Promise<Machine>
}

const offered = { minMillis: 10 * SECOND, maxMillis: 30 * MINUTE, jitter: 0 }
const whatever = { minMillis: 30 * MINUTE, maxMillis: DAY, jitter: 0 }
/** Work that waits shares one reading of the machine within a poll. */
const seenMillis = SECOND
/** A full disk has room again if so much has become free. */
const someBytes = 1024 ** 2
const someFiles = 100
const forgottenMillis = HOUR

export const createMachineWaits = ({ clock, folders, probe = probeMachine }: WaitsOptions): MachineWaits => {
  const waits = new Map<string, Wait>()
  let last: { readonly at: number; readonly machine: Promise<Machine> } | undefined
  const probeAgain = (): Promise<Machine> => {
    last = { at: clock.monotonic(), machine: probe(folders) }
    return last.machine
  }
  const probeOnce = (): Promise<Machine> =>
    last && clock.monotonic() - last.at < seenMillis ? last.machine : probeAgain()
  /** Drops work that nobody asks about any more: it was done elsewhere, or given up. */
  const forgetOld = (now: number) => {
    for (const [work, { askedAt }] of waits) if (now - askedAt > forgottenMillis) waits.delete(work)
  }
  return {
    begin: async (work, failure) => {
      const failures = (waits.get(work)?.failures ?? 0) + 1
      const now = clock.monotonic()
      const millis = backoffMillis(failures - 1, offered)
      waits.set(work, {
        failures,
        notBefore: now + millis,
        anyway: now + backoffMillis(failures - 1, whatever),
        wanted: failure instanceof NoRoom ? failure.missing : someBytes,
        askedAt: now,
        seen: await probeAgain(),
      })
      return millis
    },
    lasts: async (work) => {
      const wait = waits.get(work)
      if (!wait) return false
      const now = clock.monotonic()
      wait.askedAt = now
      return now < wait.notBefore || (now < wait.anyway && !isBetter(await probeOnce(), wait))
    },
    over: (work) => void waits.delete(work),
    count: () => {
      forgetOld(clock.monotonic())
      return waits.size
    },
  }
}

const isBetter = (now: Machine, { seen, wanted }: Wait): boolean =>
  (now.opensFiles && !seen.opensFiles) ||
  now.folders.some((folder, i) => {
    const before = seen.folders[i]!
    return (
      (folder.isWritable && !before.isWritable) ||
      folder.freeBytes >= before.freeBytes + wanted ||
      (before.freeFiles < someFiles && folder.freeFiles >= before.freeFiles + someFiles)
    )
  })

const probeMachine = async (folders: readonly string[]): Promise<Machine> => ({
  opensFiles: await tryToOpen().then(
    () => true,
    () => false,
  ),
  folders: await Promise.all(folders.map(probeFolder)),
})

const probeFolder = async (folder: string): Promise<Folder> => {
  try {
    await access(folder, constants.W_OK)
    const { bavail, bsize, ffree } = await statfs(folder)
    return { isWritable: true, freeBytes: bavail * bsize, freeFiles: ffree }
  } catch {
    return { isWritable: false, freeBytes: 0, freeFiles: 0 }
  }
}
