import { MPEGDecoder } from 'mpg123-decoder'
import type { EncoderTag, FrameHead } from './mpeg-frame.ts'
import { mpegFrames } from './mpeg-frames.ts'
import { createScale } from './mpeg-scale.ts'
import { type Decode, type Missing, type Piece, type Sound, silence } from './sound.ts'

/*
 * MPEG audio of layers 1 to 3. The decoder gets whole frames only, since it gives up on anything else. It puts
 * samples before the sound. So does the encoder, which puts some behind it, too; its tag states how many. If it
 * states nothing, the usual number is removed.
 */
const decoderDelay = { 1: 481, 2: 481, 3: 529 } as const
const usualEncoderDelay = { 1: 0, 2: 0, 3: 576 } as const

export const decodeMpeg: Decode = (file) => mpegSound(() => file.bytes())

/** Decodes the frames among these bytes, which are read again where some are damaged. */
export async function* mpegSound(bytes: () => AsyncIterable<Uint8Array>): AsyncGenerator<Sound> {
  const decoder = createFrameDecoder()
  const scale = createScale(bytes)
  let part: Part | undefined
  try {
    for await (const found of mpegFrames(bytes())) {
      const { kind, head } = found
      // Nothing is removed from a file that is appended to another, not even the frame of its tag: players do so.
      const isAppended = kind === 'tag' && part !== undefined
      if (isAppended) scale.nextPart()
      if (kind === 'tag') part = createPart(head, found.tag, isAppended)
      part ??= createPart(head, {}, false)
      if (kind === 'frames' || isAppended) {
        part.count(kind === 'frames' ? found.count : 0)
        yield* part.cut(await decoder.decode(head, found.bytes))
      } else if (kind === 'lost') {
        const frames = await scale.framesOf(found)
        part.lose(frames)
        decoder.restart()
        if (!found.isEnd)
          for (const piece of silence(head.rate, frames * head.samples, 'about')) yield* part.cut(piece)
      }
    }
    if (part) yield part.missing()
  } finally {
    decoder.free()
  }
}

/** Decodes frames with one decoder for all that follow one another at one rate. */
const createFrameDecoder = () => {
  let open: { readonly rate: number; readonly decoder: MPEGDecoder } | undefined
  const free = () => {
    open?.decoder.free()
    open = undefined
  }
  return {
    decode: async ({ rate }: FrameHead, bytes: Buffer): Promise<Piece> => {
      if (open?.rate !== rate) {
        free()
        open = { rate, decoder: new MPEGDecoder({ enableGapless: false }) }
        await open.decoder.ready
      }
      const { channelData } = open.decoder.decode(bytes)
      return { rate, channels: channelData }
    },
    /** Frames refer to those before them: with others than their own they would be noise. */
    restart: free,
    free,
  }
}

/** One file of those that are joined. */
interface Part {
  /** Frames that follow. */
  count(frames: number): void
  /** Frames that cannot be read. */
  lose(frames: number): void
  /** Leaves out what the encoder and the decoder put before the sound, and behind it. */
  cut(piece: Piece): Generator<Piece>
  /** Samples that the tag states, and that are not there. */
  missing(): Missing
}

const createPart = (head: FrameHead, tag: EncoderTag, isAppended: boolean): Part => {
  const { frames, delay = usualEncoderDelay[head.layer], padding = 0 } = tag
  let skip = isAppended ? 0 : decoderDelay[head.layer] + delay
  let counted = 0
  let lost = 0
  /** Samples that are still to be output before the padding, if its length is stated. */
  let left =
    frames && tag.delay !== undefined && !isAppended
      ? Math.max(0, frames * head.samples - delay - padding)
      : Number.POSITIVE_INFINITY
  /** The padding, which is sound if more frames follow than the tag states. */
  let held: Piece[] = []

  const missing = (): number => {
    const estimate = lost * head.samples > head.rate ? lost : 0
    if (!frames) return estimate
    // The number of frames that were lost is an estimate, too.
    const absent = frames - counted - lost
    return absent > lost / 4 ? absent : 0
  }

  return {
    count: (more) => {
      counted += more
    },
    lose: (more) => {
      lost += more
    },
    *cut(piece) {
      if (frames && counted + lost > frames) left = Number.POSITIVE_INFINITY
      if (left === Number.POSITIVE_INFINITY) {
        yield* held
        held = []
      }
      const length = piece.channels[0]?.length ?? 0
      const from = Math.min(skip, length)
      const until = Math.min(length, from + left)
      skip -= from
      left -= until - from
      if (until > from) yield stretch(piece, from, until)
      if (length > until) held.push(stretch(piece, until, length))
    },
    missing: () => ({ rate: head.rate, missing: missing() * head.samples }),
  }
}

const stretch = (piece: Piece, from: number, until: number): Piece => ({
  ...piece,
  channels: piece.channels.map((channel) => channel.subarray(from, until)),
})
