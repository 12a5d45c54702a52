import { MPEGDecoder } from 'mpg123-decoder'
import { mpegFrames } from './mpeg-frames.ts'
import type { Decode, Piece } from './sound.ts'

/*
 * The decoder gets whole frames only, since it gives up on anything else. It puts 529 samples before the
 * sound. The encoder puts samples before and behind the sound, too, and its tag states how many. If it states
 * nothing, the usual 576 are removed.
 */
const decoderDelay = 529
const usualEncoderDelay = 576

export const decodeMp3: Decode = async function* (source, expect) {
  let open: { readonly rate: number; readonly decoder: MPEGDecoder } | undefined
  let skip = decoderDelay + usualEncoderDelay
  /** Samples that are still to be output, if the encoder states their number. */
  let left = Number.POSITIVE_INFINITY
  let isBegun = false
  try {
    for await (const found of mpegFrames(source)) {
      if (found.kind === 'tag') {
        // A later tag belongs to another file, appended to the first.
        if (isBegun) {
          left = Number.POSITIVE_INFINITY
          continue
        }
        const { frames, delay = usualEncoderDelay, padding = 0 } = found.tag
        skip = decoderDelay + delay
        if (frames) {
          const samples = Math.max(0, frames * found.head.samples - delay - padding)
          expect(Math.max(0, samples - decoderDelay) / found.head.rate)
          if (found.tag.delay !== undefined) left = samples
        }
        continue
      }
      isBegun = true
      const { rate } = found.head
      if (open && open.rate !== rate) {
        open.decoder.free()
        open = undefined
        left = Number.POSITIVE_INFINITY
      }
      if (!open) {
        open = { rate, decoder: new MPEGDecoder({ enableGapless: false }) }
        await open.decoder.ready
      }
      const { channelData, samplesDecoded } = open.decoder.decode(found.bytes)
      const from = Math.min(skip, samplesDecoded)
      const until = Math.min(samplesDecoded, from + left)
      skip -= from
      left -= until - from
      if (until > from) yield { rate, channels: cut(channelData, from, until) }
    }
  } finally {
    open?.decoder.free()
  }
}

const cut = (channels: readonly Float32Array[], from: number, until: number): Piece['channels'] =>
  channels.map((channel) => channel.subarray(from, until))
