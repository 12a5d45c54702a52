import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type DifferingStretch, Unreadable } from '@fonds/sound'
import { type DifferingChannels, decode } from '@fonds/sound/decode'
import type { Gaps } from '../../../domain/research/terms.ts'
import { createBlockingRooms } from '../../runtime/room.ts'
import { gapsOf } from './gaps.ts'
import { readerOf } from './read-at.ts'
import { createTrackFile } from './track-file.ts'

export interface DecodeJob {
  /** Descriptor of the file, which its opener closes: opened again by name, it might be another file. */
  readonly source: number
  /** Created; as `Pcm` has it, at `rate`. */
  readonly target: string
  readonly rate: number
  readonly maxSeconds: number
  /** Limit of the output: a few bytes of FLAC can be days of silence. */
  readonly maxBytes: number
  /** Percentage of the disk of `target` that may be in use. */
  readonly roomPercent: number
}

/** Number of samples of the mix, and stretches of tracks beside it, as `Pcm` has them. */
export interface Decoded {
  readonly samples: number
  readonly differing: readonly DifferingStretch[]
  /** Absent if all was decoded. */
  readonly gaps?: Gaps
}

/**
 * Decodes a file. Memory does not grow with the file. `onProgress` is called for each stretch of sound. Throws
 * `NoRoom`, and `Unreadable`.
 */
export const decodeFile = async (job: DecodeJob, onProgress: () => void): Promise<Decoded> => {
  const { source, target: path, rate, maxSeconds, maxBytes, roomPercent } = job
  const found: DifferingChannels[] = []
  const onDiffering = (one: DifferingChannels) => found.push(one)
  const sound = await decode(readerOf(source), { rate, maxSeconds, onDiffering })
  const takeRoom = createBlockingRooms(roomPercent).writer(dirname(path))
  await using target = await open(path, 'wx')
  let written = 0
  const put = async (file: FileHandle, samples: Int16Array<ArrayBuffer>) => {
    if (samples.length === 0) return
    if ((written + samples.length) * 2 > maxBytes)
      throw new Unreadable(
        `takes more room than is left for decoded media (${maxBytes} bytes); raise FONDS_MEDIA_DECODED_BYTES, or cut it into parts`,
      )
    const room = takeRoom(samples.byteLength)
    if (room) await room
    await file.writeFile(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    written += samples.length
  }
  await using tracks = createTrackFile(path, put)
  let mixed = 0
  for await (const samples of sound.samples) {
    await put(target, samples)
    mixed += samples.length
    for (const one of found.splice(0)) await tracks.put(one)
    onProgress()
  }
  await tracks.appendTo(target, onProgress)
  await target.datasync()
  const gaps = gapsOf(sound.gaps)
  return { samples: mixed, differing: tracks.stretches(), ...(gaps && { gaps }) }
}
