import { createDifferingChannels, type DifferingChannels } from './differing-channels.ts'
import { createGaps, type Gap } from './gaps.ts'
import { createResampler, phasesOf, type Resampler } from './resample.ts'
import { type AudioKind, noKindKnown, type ReadBytes, sniff } from './sniff.ts'
import { type Decode, maxRate, minRate, mono, type Piece, type SoundFile, Unreadable } from './sound.ts'

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
   * to the caller. Throws `Unreadable`, also if most of the sound cannot be decoded, and any error of `read`.
   */
  readonly samples: AsyncGenerator<Int16Array<ArrayBuffer>, void>
  /** Stretches that cannot be decoded, in the order of the file; complete when the samples have been read. */
  readonly gaps: readonly Gap[]
}

/** Each is loaded for its first file: the four have 80 modules, and most files need a few of them. */
const decoders: Readonly<Record<AudioKind, () => Promise<Decode>>> = {
  mp3: async () => (await import('./mpeg.ts')).decodeMpeg,
  wav: async () => (await import('./wav.ts')).decodeWav,
  flac: async () => (await import('./flac.ts')).decodeFlac,
  ogg: async () => (await import('./ogg.ts')).decodeOgg,
}

const supported = 'mp3, mp2, WAV, FLAC, Ogg Vorbis, Ogg Opus and Ogg FLAC are supported'

const bytesAtOnce = 64 * 1024

/** More phases than a usual rate has: the filter takes long to make. */
const usualPhases = 441
/** Limit of the phases of unusual rates that follow one another. */
const maxPhases = 160_000

/** Decodes a file as it is read, in constant memory. Throws `Unreadable` if it is not sound. */
export const decode = async (read: ReadBytes, options: DecodeOptions): Promise<Decoding> => {
  const found = await sniff(read)
  if ('instead' in found) {
    const advice = found.kind === 'page' ? 'check the address' : supported
    const isDenied = found.instead === 'empty' || found.instead === noKindKnown
    const denial = isDenied ? found.instead : `${found.instead}, not audio that can be read`
    throw new Unreadable(`is ${denial}; ${advice}`)
  }
  const file = soundFile(read, found.start)
  const gaps: Gap[] = []
  return { kind: found.kind, samples: samplesOf(found.kind, file, options, gaps), gaps }
}

async function* samplesOf(
  kind: AudioKind,
  file: SoundFile,
  { rate, maxSeconds, onDiffering }: DecodeOptions,
  gaps: Gap[],
): Decoding['samples'] {
  const differing = onDiffering && createDifferingChannels(rate, onDiffering)
  /** Seconds decoded so far, with silence in place of what is lost. */
  let seconds = 0
  let given = 0
  let phases = 0
  let run: { readonly rate: number; readonly resampler: Resampler } | undefined
  const lost = createGaps(gaps)
  const counted = (samples: Int16Array<ArrayBuffer>) => {
    given += samples.length
    return samples
  }

  const decodeKind = await decoders[kind]()
  for await (const piece of decodeKind(file)) {
    if ('missing' in piece) {
      const isLength = !piece.isDoubtful || seconds + piece.missing / piece.rate <= maxSeconds
      if (isLength) lost.atEnd(seconds, piece)
      continue
    }
    check(piece, seconds, maxSeconds)
    if (run?.rate !== piece.rate) {
      if (run) yield counted(run.resampler.end())
      const more = phasesOf(piece.rate, rate)
      if (more > usualPhases) phases += more
      if (phases > maxPhases) throw new Unreadable('changes its sample rate too often; export it again')
      run = { rate: piece.rate, resampler: createResampler(piece.rate, rate, seconds * rate) }
    }
    const samples = mono(piece)
    differing?.push(piece, seconds)
    yield counted(run.resampler.push(samples))
    if (piece.lost) lost.add(seconds, samples.length / piece.rate, piece.lost)
    seconds += samples.length / piece.rate
  }
  differing?.end()
  if (run) yield counted(run.resampler.end())
  lost.check(seconds)
  if (given === 0) throw new Unreadable(`holds no sound that can be read as ${kind}; export it again`)
}

/** Throws `Unreadable` before time is spent on what would be refused later. */
const check = ({ rate, channels, lostNext = 0 }: Piece, seconds: number, maxSeconds: number) => {
  if (rate < minRate || rate > maxRate)
    throw new Unreadable(`holds sound at ${rate} Hz, which is not supported; export it again`)
  const length = channels[0]?.length ?? 0
  const hours = inHours(maxSeconds)
  if (seconds + length / rate > maxSeconds)
    throw new Unreadable(`is longer than ${hours} hours; cut it into parts`)
  if (seconds + (length + lostNext) / rate > maxSeconds)
    throw new Unreadable(`is damaged: it places sound beyond ${hours} hours; fetch or export it again`)
}

const inHours = (seconds: number): number => Math.round(seconds / 36) / 100

const soundFile = (read: ReadBytes, start: number): SoundFile => ({
  read,
  start,
  async *bytes(from = start, to = Number.POSITIVE_INFINITY) {
    for (let position = from; position < to; ) {
      const bytes = await read(Math.min(bytesAtOnce, to - position), position)
      if (bytes.length === 0) return
      yield bytes
      position += bytes.length
    }
  },
})
