import type { PacketDecoder } from './ogg-codings.ts'
import { createPackets } from './ogg-packets.ts'
import type { Page } from './ogg-pages.ts'
import { type Missing, type Piece, silence } from './sound.ts'

/** Decodes the pages of one stream, and places their sound by the granule positions that they state. */
export interface Link {
  push(page: Page): AsyncGenerator<Piece>
  /** Samples that so many bytes behind its last page may have been. */
  missing(bytes: number): Missing
}

export const createLink = (decoder: PacketDecoder): Link => {
  const { rate, preSkip, packetsAtOnce } = decoder
  const join = createPackets()
  /** Granule position of the next sample; undefined before the first. */
  let position: number | undefined
  /** Sound before it is left out. */
  let beginning = preSkip
  /** To be added to positions that the pages state: they jumped without any loss. */
  let shift = 0
  let isDamaged = false
  const read = { bytes: 0, samples: 0 }

  const decoded = async function* (packets: readonly Buffer[]): AsyncGenerator<Piece> {
    for (let i = 0; i < packets.length; i += packetsAtOnce)
      yield* await decoder.decode(packets.slice(i, i + packetsAtOnce))
  }

  /** Puts a piece at the position. Leaves out what is before the beginning, and from `end` on. */
  function* put(piece: Piece, end: number): Generator<Piece> {
    const at = position ?? 0
    const length = lengthOf(piece)
    const from = Math.min(length, Math.max(0, beginning - at))
    const to = Math.max(from, Math.min(length, end - at))
    position = at + length
    read.samples += length
    if (to > from) yield { ...piece, channels: piece.channels.map((channel) => channel.subarray(from, to)) }
  }

  /** Where the first samples are, which come before `granule`. */
  const begin = (samples: number, granule: number, isLast: boolean) => {
    const at = isDamaged || isLast ? 0 : granule - samples
    position = at
    // Recorded from within a stream, it begins there.
    beginning = Math.max(0, at) + preSkip
  }

  /** Samples that are lost before as many that end at `granule`. */
  const gapBefore = (samples: number, granule: number, isBehindLoss: boolean, isLast: boolean): number => {
    const gap = granule - samples - (position ?? 0)
    if (gap > (isBehindLoss ? 0 : rate)) return gap
    // Small differences are usual, at the end all are; a jump back is another count.
    if (gap < -rate && !isLast) shift -= gap
    return 0
  }

  return {
    push: async function* (page) {
      if (page.isDamaged || page.passedOver > 0) isDamaged = true
      const { packets, isBehindLoss } = join(page, decoder.mayUseDamaged())
      const sound = packets.filter(decoder.isSound)
      const granule = page.isDamaged || page.granule === undefined ? undefined : page.granule + shift
      for (const packet of sound) read.bytes += packet.length
      if (sound.length === 0 && (position === undefined || granule === undefined)) return
      const end = page.isLast && granule !== undefined ? granule : Number.POSITIVE_INFINITY
      if (granule === undefined || (position !== undefined && !isBehindLoss)) {
        for await (const piece of decoded(sound)) yield* put(piece, Math.max(end, position ?? 0))
        if (granule !== undefined) yield* lost(gapBefore(0, granule, false, page.isLast))
        return
      }
      const pieces: Piece[] = []
      for await (const piece of decoded(sound)) pieces.push(piece)
      const samples = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
      if (position === undefined) begin(samples, granule, page.isLast)
      yield* lost(gapBefore(samples, granule, isBehindLoss, page.isLast))
      for (const piece of pieces) yield* put(piece, end)
    },
    missing: (bytes) => {
      const estimate = Math.round((bytes * read.samples) / Math.max(1, read.bytes))
      return { rate, missing: decoder.samples ? decoder.samples - (position ?? 0) : estimate }
    },
  }

  function* lost(samples: number): Generator<Piece> {
    for (const piece of silence(rate, samples)) yield* put(piece, Number.POSITIVE_INFINITY)
  }
}

const lengthOf = ({ channels }: Piece): number => channels[0]?.length ?? 0
