import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Unreadable } from '@fonds/sound'
import { decode } from '@fonds/sound/decode'
import { createBlockingRooms } from '../../runtime/room.ts'
import { readerOf } from './read-at.ts'

export interface DecodeJob {
  /** Descriptor of the file, which its opener closes: opened again by name, it might be another file. */
  readonly source: number
  /** Created; signed 16-bit little-endian, mono, at `rate`. */
  readonly target: string
  readonly rate: number
  readonly maxSeconds: number
  /** Limit of the output: a few bytes of FLAC can be days of silence. */
  readonly maxBytes: number
  /** Percentage of the disk of `target` that may be in use. */
  readonly roomPercent: number
}

/**
 * Decodes a file; returns the number of samples. Memory does not grow with the file. `onProgress` is called for each
 * stretch of sound. Throws `NoRoom`, and `Unreadable`.
 */
export const decodeFile = async (job: DecodeJob, onProgress: () => void): Promise<number> => {
  const { source, target: path, rate, maxSeconds, maxBytes, roomPercent } = job
  const sound = await decode(readerOf(source), { rate, maxSeconds })
  const takeRoom = createBlockingRooms(roomPercent).writer(dirname(path))
  await using target = await open(path, 'wx')
  let written = 0
  const put = async (samples: Int16Array<ArrayBuffer>) => {
    if (samples.length === 0) return
    if ((written + samples.length) * 2 > maxBytes)
      throw new Unreadable(
        `takes more room than is left for decoded media (${maxBytes} bytes); raise FONDS_MEDIA_DECODED_BYTES, or cut it into parts`,
      )
    const room = takeRoom(samples.byteLength)
    if (room) await room
    await target.writeFile(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    written += samples.length
  }
  for await (const samples of sound.samples) {
    await put(samples)
    onProgress()
  }
  await target.datasync()
  return written
}
