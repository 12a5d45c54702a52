import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis'
import { OpusDecoder } from 'opus-decoder'
import { createFlacDecoder } from './flac-decoder.ts'
import { flacHeader, streamInformation } from './flac-frame.ts'
import { oggCoding } from './ogg-coding.ts'
import type { Piece } from './sound.ts'

/** Decodes the packets of one stream. */
export interface PacketDecoder {
  /** Samples a second, which granule positions count. */
  readonly rate: number
  /** Samples before the sound. */
  readonly preSkip: number
  /** Samples that the stream states to have, if it does. */
  readonly samples?: number
  /** Packets to decode at once: many in one page can be much sound. */
  readonly packetsAtOnce: number
  /** Packets of pages whose checksum is wrong are of use at present. */
  mayUseDamaged(): boolean
  /** True for sound; keeps what else a packet holds. */
  isSound(packet: Buffer): boolean
  decode(packets: readonly Buffer[]): Promise<readonly Piece[]>
  free(): void
}

/** Undefined if the stream that begins with this packet is none that can be decoded. */
export const packetDecoder = async (first: Buffer): Promise<PacketDecoder | undefined> =>
  openers[oggCoding(first) ?? '']?.(first)

const openVorbis = async (first: Buffer): Promise<PacketDecoder | undefined> => {
  if (first.length < 30) return undefined
  const identification = Buffer.from(first)
  const rate = identification.readUInt32LE(12)
  if (rate === 0) return undefined
  const decoder = new OggVorbisDecoder()
  await decoder.ready
  let setup: Buffer | undefined
  let isReady = false
  /** The decoder reads no more of a page than this. */
  const decode = (page: object) => decoder.decodeOggPages([page as VorbisPage])
  return {
    rate,
    preSkip: 0,
    packetsAtOnce: 64,
    // Without the setup nothing can be decoded; a wrong byte in a comment beside it does not matter.
    mayUseDamaged: () => setup === undefined,
    isSound: (packet) => {
      const isHeader = (packet[0] ?? 1) & 1
      if (packet[0] === 5 && !setup) setup = Buffer.from(packet)
      return !isHeader && packet.length <= longestVorbisPacket
    },
    decode: async (packets) => {
      if (!setup) return []
      if (!isReady) await decode({ data: identification, codecFrames: [] })
      const [header, data] = [{ vorbisSetup: setup }, Buffer.alloc(0)]
      isReady = true
      const decoded = await decode({ data, codecFrames: packets.map((packet) => ({ header, data: packet })) })
      return [{ rate, channels: decoded.channelData }]
    },
    free: () => decoder.free(),
  }
}

/** It reads nothing of a page but the packets in `codecFrames`, and the headers. */
type VorbisPage = Parameters<OggVorbisDecoder['decodeOggPages']>[0][number]

/** The decoder has room for no more. */
const longestVorbisPacket = 128 * 1024

const openOpus = async (first: Buffer): Promise<PacketDecoder | undefined> => {
  const channels = first[9] ?? 0
  const isMapped = first.length >= 21 + channels && first[18] !== 0
  if (first.length < 19 || channels === 0 || (channels > 2 && !isMapped)) return undefined
  const decoder = new OpusDecoder({
    channels,
    streamCount: isMapped ? first[19]! : 1,
    coupledStreamCount: isMapped ? first[20]! : channels - 1,
    channelMappingTable: isMapped ? [...first.subarray(21, 21 + channels)] : [0, 1].slice(0, channels),
    preSkip: 0,
  })
  await decoder.ready
  return {
    rate: 48_000,
    preSkip: first.readUInt16LE(10),
    packetsAtOnce: 32,
    mayUseDamaged: () => false,
    isSound: (packet) => packet.length > 0 && !/^Opus(Head|Tags)/.test(packet.toString('latin1', 0, 8)),
    decode: async (packets) => {
      const { channelData, samplesDecoded } = decoder.decodeFrames([...packets])
      return [{ rate: 48_000, channels: channelData.map((channel) => channel.subarray(0, samplesDecoded)) }]
    },
    free: () => decoder.free(),
  }
}

const openFlac = async (first: Buffer): Promise<PacketDecoder | undefined> => {
  const information = streamInformation(first, 9)
  if (!information || information.rate === 0) return undefined
  const decoder = await createFlacDecoder()
  const { rate } = information
  return {
    rate,
    samples: information.samples,
    preSkip: 0,
    packetsAtOnce: 4,
    // Each packet has checksums of its own.
    mayUseDamaged: () => true,
    isSound: (packet) => flacHeader(packet, 0) !== undefined,
    decode: (packets) =>
      decoder.decode(
        packets.map((bytes) => ({ bytes, header: flacHeader(bytes, 0)! })),
        rate,
      ),
    free: () => decoder.free(),
  }
}

const openers: Readonly<Record<string, (first: Buffer) => Promise<PacketDecoder | undefined>>> = {
  vorbis: openVorbis,
  opus: openOpus,
  flac: openFlac,
}
