import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createBlockingRooms } from '../../runtime/room.ts'
import { decodeFlac } from './decoders/flac.ts'
import { decodeMp3 } from './decoders/mp3.ts'
import { decodeOgg } from './decoders/ogg.ts'
import { decodeWav } from './decoders/wav.ts'
import { readAt, readerOf } from './read-at.ts'
import { createResampler, type Resampler } from './resample.ts'
import { type AudioKind, sniff } from './sniff.ts'
import { type Decode, mono, Unreadable } from './sound.ts'

export interface DecodeJob {
  /** Descriptor of the file, which whoever opened it closes: read by its name again, it might be another. */
  readonly source: number
  /** Created; signed 16-bit little-endian, mono, at `rate`. */
  readonly target: string
  readonly rate: number
  readonly maxSeconds: number
  /** Of what is written: a few bytes of FLAC can be days of silence. */
  readonly maxBytes: number
  /** So much of the disk of `target` may be used. */
  readonly roomPercent: number
}

const decoders: Readonly<Record<AudioKind, Decode>> = {
  mp3: decodeMp3,
  wav: decodeWav,
  flac: decodeFlac,
  ogg: decodeOgg,
}

const supported = 'mp3, WAV, FLAC, Ogg Vorbis and Ogg Opus are supported'

const bytesAtOnce = 64 * 1024

/**
 * Returns the number of samples. Memory does not grow with the file. `onProgress` is called for each stretch of sound.
 * Throws `NoRoom`, and `Unreadable`, also where more than a second is missing of the length that the file states.
 */
export const decodeFile = async (job: DecodeJob, onProgress: () => void): Promise<number> => {
  const found = await sniff(readerOf(job.source))
  if ('instead' in found) {
    const advice = found.kind === 'page' ? 'check the address' : supported
    const denial = found.instead === 'empty' ? 'empty' : `${found.instead}, not audio that can be read`
    throw new Unreadable(`is ${denial}; ${advice}`)
  }
  await using target = await open(job.target, 'wx')
  const samples = await write(job, found.kind, chunks(job.source, found.start), target, onProgress)
  await target.datasync()
  return samples
}

const write = async (
  { target: path, rate, maxSeconds, maxBytes, roomPercent }: DecodeJob,
  kind: AudioKind,
  bytes: AsyncIterable<Uint8Array>,
  target: FileHandle,
  onProgress: () => void,
): Promise<number> => {
  let promised = 0
  /** Of what was decoded. */
  let seconds = 0
  let written = 0
  let run: { readonly rate: number; readonly resampler: Resampler } | undefined
  const takeRoom = createBlockingRooms(roomPercent).writer(dirname(path))
  const put = async (samples: Int16Array) => {
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

  const expect = (said: number) => {
    promised = said
  }
  for await (const piece of decoders[kind](bytes, expect)) {
    if (run?.rate !== piece.rate) {
      if (run) await put(run.resampler.end())
      run = { rate: piece.rate, resampler: createResampler(piece.rate, rate, seconds * rate) }
    }
    const samples = mono(piece)
    await put(run.resampler.push(samples))
    seconds += samples.length / piece.rate
    onProgress()
    if (seconds > maxSeconds)
      throw new Unreadable(`is longer than ${inHours(maxSeconds)} hours; cut it into parts`)
  }
  if (run) await put(run.resampler.end())
  if (promised - seconds > 1)
    throw new Unreadable(
      `ends in the middle (${seconds.toFixed(1)} s of ${promised.toFixed(1)} s can be read); fetch or export it again`,
    )
  if (written === 0) throw new Unreadable(`holds no sound that can be read as ${kind}; export it again`)
  return written
}

const inHours = (seconds: number): number => Math.round(seconds / 36) / 100

async function* chunks(file: number, start: number): AsyncGenerator<Uint8Array> {
  for (let position = start; ; ) {
    const bytes = await readAt(file, bytesAtOnce, position)
    if (bytes.length === 0) return
    yield bytes
    position += bytes.length
  }
}
