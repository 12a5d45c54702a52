import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemError } from '@fonds/toolbox'
import { NoRoom } from '../../async/machine-failure.ts'
import { bytes as inWords } from '../../domain/kernel/amounts.ts'

/** Bytes of the disk of a folder; those reserved for root count as used. */
export interface Volume {
  readonly total: number
  readonly used: number
}

/**
 * To be called before bytes are written, and awaited if it returns a promise: the disk is then measured. `ahead`: bytes
 * still to come in all, as far as known. Rejects with `NoRoom`.
 */
export type TakeRoom = (bytes: number, ahead?: number) => Promise<void> | undefined

/** In bytes. */
export interface RoomLeft {
  /** Most bytes that may be used, by anyone. */
  readonly most: number
  /** Bytes that may still be written; negative if more is used than may be. */
  readonly left: number
}

/** Keeps data that others send below a threshold of the disk: the log may lie on it. */
export interface Rooms {
  /** Room on the disk of the folder. */
  at(folder: string): Promise<RoomLeft>
  /** For a writer beneath the folder. */
  writer(folder: string): TakeRoom
}

/** Most bytes that a writer writes between two measurements. */
const stepBytes = 8 * 1024 ** 2
/**
 * A writer also writes at most one part in so many of the remaining bytes: so many writers at once stay below the
 * threshold together, but for a piece each.
 */
const writers = 32

/** `percent`: most of a disk that may be used. */
export const createRooms = (
  percent: number,
  volumeAt: (folder: string) => Volume | Promise<Volume> = volumeOf,
): Rooms => {
  const roomIn = ({ total, used }: Volume): RoomLeft => {
    const most = Math.floor((total * percent) / 100)
    return { most, left: most - used }
  }
  return {
    at: async (folder) => roomIn(await volumeAt(folder)),
    writer: (folder) => {
      let allowed = 0
      const takeAgain = async (bytes: number, ahead: number) => {
        const volume = await volumeAt(folder)
        const { most, left } = roomIn(volume)
        const wanted = Math.max(bytes, ahead)
        if (wanted > left)
          throw new NoRoom(
            `${noRoom(folder, volume, percent, wanted)}; ${advice(wanted > most)}`,
            wanted - left,
          )
        allowed = Math.max(bytes, Math.min(stepBytes, Math.floor(left / writers))) - bytes
      }
      return (bytes, ahead = bytes) => {
        if (bytes > allowed) return takeAgain(bytes, ahead)
        allowed -= bytes
        return undefined
      }
    },
  }
}

/** For a thread that does nothing else. */
export const createBlockingRooms = (percent: number): Rooms => createRooms(percent, blockingVolumeOf)

const noRoom = (folder: string, { total, used }: Volume, percent: number, bytes: number): string =>
  `there is no room for ${inWords(bytes)}: of the ${inWords(total)} of the disk at ${folder} ${inWords(used)} are used, and ${percent} % may be`

const advice = (isNever: boolean): string =>
  isNever
    ? 'it can never fit there: use a larger disk, or raise FONDS_INGEST_THRESHOLD_PERCENT'
    : 'make room, or raise FONDS_INGEST_THRESHOLD_PERCENT'

/** Measures the disk of a folder. One that does not exist yet will be created on the disk of its parent. */
export const volumeOf = async (folder: string): Promise<Volume> => {
  try {
    return volumeIn(await statfs(folder))
  } catch (error) {
    return volumeOf(parentOrThrow(folder, error))
  }
}

const blockingVolumeOf = (folder: string): Volume => {
  try {
    return volumeIn(statfsSync(folder))
  } catch (error) {
    return blockingVolumeOf(parentOrThrow(folder, error))
  }
}

const parentOrThrow = (folder: string, error: unknown): string => {
  const parent = dirname(folder)
  if (isSystemError(error, 'ENOENT') && parent !== folder) return parent
  throw error
}

interface Blocks {
  readonly blocks: number
  readonly bavail: number
  readonly bsize: number
}

const volumeIn = ({ blocks, bavail, bsize }: Blocks): Volume => ({
  total: blocks * bsize,
  used: (blocks - bavail) * bsize,
})
