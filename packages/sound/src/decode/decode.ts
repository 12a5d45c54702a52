import { createDifferingChannels, type DifferingChannels } from './differing-channels.ts'
import { decodeFlac } from './flac.ts'
import { decodeMp3 } from './mp3.ts'
import { decodeOgg } from './ogg.ts'
import { createResampler, type Resampler } from './resample.ts'
import { type AudioKind, type ReadBytes, sniff } from './sniff.ts'
import { type Decode, mono, Unreadable } from './sound.ts'
import { decodeWav } from './wav.ts'

export interface DecodeOptions {
  /** Samples per second of the output. */
  readonly rate: number
  /** Longer sound is refused. */
  readonly maxSeconds: number
  /** Called for what channels have beside the mix, before the end of the samples. Default: it is not looked for. */
  readonly onDiffering?: (found: DifferingChannels) => void
}

export interface Decoding {
  readonly kind: AudioKind
  /**
   * Signed 16-bit samples at the wanted rate, all channels mixed to one. A stretch may be empty, and belongs
   * to the caller. Throws `Unreadable`, also if more than a second of the length that the file states is
   * missing, and any error of `read`.
   */
  readonly samples: AsyncGenerator<Int16Array<ArrayBuffer>, void>
}

const decoders: Readonly<Record<AudioKind, Decode>> = {
  mp3: decodeMp3,
  wav: decodeWav,
  flac: decodeFlac,
  ogg: decodeOgg,
}

const supported = 'mp3, WAV, FLAC, Ogg Vorbis and Ogg Opus are supported'

const bytesAtOnce = 64 * 1024

/** Decodes a file as it is read, in constant memory. Throws `Unreadable` if it is not sound. */
export const decode = async (read: ReadBytes, options: DecodeOptions): Promise<Decoding> => {
  const found = await sniff(read)
  if ('instead' in found) {
    const advice = found.kind === 'page' ? 'check the address' : supported
    const denial = found.instead === 'empty' ? 'empty' : `${found.instead}, not audio that can be read`
    throw new Unreadable(`is ${denial}; ${advice}`)
  }
  return { kind: found.kind, samples: samplesOf(found.kind, chunks(read, found.start), options) }
}

async function* samplesOf(
  kind: AudioKind,
  bytes: AsyncIterable<Uint8Array>,
  { rate, maxSeconds, onDiffering }: DecodeOptions,
): Decoding['samples'] {
  const differing = onDiffering && createDifferingChannels(rate, onDiffering)
  let promised = 0
  /** Seconds decoded so far. */
  let seconds = 0
  let given = 0
  let run: { readonly rate: number; readonly resampler: Resampler } | undefined
  const counted = (samples: Int16Array<ArrayBuffer>) => {
    given += samples.length
    return samples
  }

  const expect = (promisedNow: number) => {
    promised = promisedNow
  }
  for await (const piece of decoders[kind](bytes, expect)) {
    if (run?.rate !== piece.rate) {
      if (run) yield counted(run.resampler.end())
      run = { rate: piece.rate, resampler: createResampler(piece.rate, rate, seconds * rate) }
    }
    const samples = mono(piece)
    differing?.push(piece, seconds)
    yield counted(run.resampler.push(samples))
    seconds += samples.length / piece.rate
    if (seconds > maxSeconds)
      throw new Unreadable(`is longer than ${inHours(maxSeconds)} hours; cut it into parts`)
  }
  differing?.end()
  if (run) yield counted(run.resampler.end())
  if (promised - seconds > 1)
    throw new Unreadable(
      `ends in the middle (${seconds.toFixed(1)} s of ${promised.toFixed(1)} s can be read); fetch or export it again`,
    )
  if (given === 0) throw new Unreadable(`holds no sound that can be read as ${kind}; export it again`)
}

const inHours = (seconds: number): number => Math.round(seconds / 36) / 100

async function* chunks(read: ReadBytes, start: number): AsyncGenerator<Uint8Array> {
  for (let position = start; ; ) {
    const bytes = await read(bytesAtOnce, position)
    if (bytes.length === 0) return
    yield bytes
    position += bytes.length
  }
}
