import OpusScript from 'opusscript'
import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'

/* Sound made for tests, and files of it. */

/** A 1 kHz burst of half a second that begins at `at` seconds, with silence around it. */
export const burst = (rate: number, seconds: number, at: number): Float32Array =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, i) => {
    const t = i / rate - at
    return t >= 0 && t < 0.5 ? 0.5 * Math.sin(2 * Math.PI * 1000 * t) : 0
  })

export const tone = (rate: number, seconds: number, hertz: number, loud = 0.5): Float32Array =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, i) => loud * Math.sin((2 * Math.PI * hertz * i) / rate),
  )

type Channels = readonly Float32Array[]

const encodeWith = (
  encoder: { encode(samples: Channels): Uint8Array; finalize(): Uint8Array },
  channels: Channels,
): Buffer => {
  const parts: Buffer[] = []
  for (let i = 0; i < channels[0]!.length; i += 16_384)
    parts.push(Buffer.from(encoder.encode(channels.map((channel) => channel.subarray(i, i + 16_384)))))
  parts.push(Buffer.from(encoder.finalize()))
  return Buffer.concat(parts)
}

/** Without the encoder's tag. */
export const mp3 = async (
  rate: 8000 | 22050 | 24000 | 44100 | 48000,
  channels: Channels,
  how: { bitrate: 24 | 64 | 128 } | { vbrQuality: number } = { bitrate: 64 },
): Promise<Buffer> => {
  const encoder = await createMp3Encoder()
  encoder.configure({
    channels: channels.length === 1 ? 1 : 2,
    sampleRate: rate,
    outputSampleRate: rate,
    ...how,
  })
  return encodeWith(encoder, channels)
}

export const vorbis = async (rate: number, channels: Channels, serial = 1): Promise<Buffer> => {
  const encoder = await createOggEncoder()
  encoder.configure({
    channels: channels.length === 1 ? 1 : 2,
    sampleRate: rate,
    vbrQuality: 2,
    oggSerialNo: serial,
  })
  return encodeWith(encoder, channels)
}

export interface WavFormat {
  readonly bits: 8 | 16 | 24 | 32 | 64
  readonly float?: boolean
  readonly extensible?: boolean
  /** What the data chunk says; default the truth. */
  readonly size?: number
  /** RF64, with the true size in its ds64 chunk. */
  readonly large?: boolean
  /** Chunks before the format. */
  readonly before?: Buffer
}

export const wavHead = (rate: number, channels: number, frames: number, format: WavFormat): Buffer => {
  const { bits, float = false, extensible = false, large = false, before = Buffer.alloc(0) } = format
  const frame = (channels * bits) / 8
  const size = format.size ?? (large ? 0xffff_ffff : frames * frame)
  const fmt = Buffer.alloc(extensible ? 40 : 16)
  fmt.writeUInt16LE(extensible ? 0xfffe : float ? 3 : 1, 0)
  fmt.writeUInt16LE(channels, 2)
  fmt.writeUInt32LE(rate, 4)
  fmt.writeUInt32LE(rate * frame, 8)
  fmt.writeUInt16LE(frame, 12)
  fmt.writeUInt16LE(bits, 14)
  if (extensible) {
    fmt.writeUInt16LE(22, 16)
    fmt.writeUInt16LE(bits, 18)
    fmt.writeUInt16LE(float ? 3 : 1, 24)
  }
  const ds64 = Buffer.alloc(28)
  ds64.writeBigUInt64LE(BigInt(frames * frame), 8)
  return Buffer.concat([
    Buffer.from(large ? 'RF64\xff\xff\xff\xffWAVE' : 'RIFF\0\0\0\0WAVE', 'latin1'),
    ...(large ? [chunk('ds64', ds64)] : []),
    before,
    chunk('fmt ', fmt),
    chunk('data', Buffer.alloc(0), size),
  ])
}

export const chunk = (id: string, body: Buffer, size = body.length): Buffer => {
  const head = Buffer.alloc(8)
  head.write(id, 'latin1')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

export const wav = (rate: number, channels: Channels, format: WavFormat = { bits: 16 }): Buffer => {
  const frames = channels[0]!.length
  const { bits, float = false } = format
  const body = Buffer.alloc((frames * channels.length * bits) / 8)
  let at = 0
  for (let i = 0; i < frames; i++)
    for (const { [i]: value = 0 } of channels) {
      if (float && bits === 64) body.writeDoubleLE(value, at)
      else if (float) body.writeFloatLE(value, at)
      else if (bits === 8) body.writeUInt8(Math.round(value * 127) + 128, at)
      else body.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8)
      at += bits / 8
    }
  return Buffer.concat([wavHead(rate, channels.length, frames, format), body])
}

/** At 48 kHz. */
export const opus = (channels: Channels): Buffer => {
  const frame = 960
  const encoder = new OpusScript(48_000, channels.length, OpusScript.Application.AUDIO)
  // The encoder's delay.
  const preSkip = 312
  const length = channels[0]!.length
  const count = Math.ceil((length + preSkip) / frame)
  const packets = Array.from({ length: count }, (_, n) => {
    const pcm = Buffer.alloc(frame * channels.length * 2)
    for (let i = 0; i < frame; i++)
      for (const [c, values] of channels.entries())
        pcm.writeInt16LE(Math.round((values[n * frame + i] ?? 0) * 32_767), (i * channels.length + c) * 2)
    return Buffer.from(encoder.encode(pcm, frame))
  })
  encoder.delete()
  const head = Buffer.alloc(19)
  head.write('OpusHead', 'latin1')
  head.writeUInt8(1, 8)
  head.writeUInt8(channels.length, 9)
  head.writeUInt16LE(preSkip, 10)
  head.writeUInt32LE(48_000, 12)
  const tags = Buffer.concat([Buffer.from('OpusTags', 'latin1'), Buffer.alloc(8)])
  const pages = packets.map((packet, n) => {
    const isLast = n === count - 1
    return oggPage(packet, n + 2, isLast ? preSkip + length : (n + 1) * frame, isLast ? 4 : 0)
  })
  return Buffer.concat([oggPage(head, 0, 0, 2), oggPage(tags, 1, 0, 0), ...pages])
}

export const oggPage = (
  packet: Buffer,
  sequence: number,
  granule: number,
  flags: number,
  serial = 7,
): Buffer => {
  const lacing = [...Array<number>(Math.floor(packet.length / 255)).fill(255), packet.length % 255]
  const page = Buffer.concat([Buffer.alloc(27), Buffer.from(lacing), packet])
  page.write('OggS', 'latin1')
  page.writeUInt8(flags, 5)
  page.writeBigInt64LE(BigInt(granule), 6)
  page.writeUInt32LE(serial, 14)
  page.writeUInt32LE(sequence, 18)
  page.writeUInt8(lacing.length, 26)
  let sum = 0
  for (const byte of page) {
    sum ^= byte << 24
    for (let bit = 0; bit < 8; bit++) sum = sum < 0 ? (sum << 1) ^ 0x04c1_1db7 : sum << 1
  }
  page.writeInt32LE(sum | 0, 22)
  return page
}

/** A frame like the first, with the tag that LAME writes into it. */
export const xing = (like: Buffer, frames: number, delay: number, padding: number): Buffer => {
  const frame = Buffer.alloc(208)
  like.copy(frame, 0, 0, 4)
  // 64 kbit/s: at 44.1 kHz as long as this frame.
  frame.writeUInt8((frame.readUInt8(2) & 0x0d) | 0x50, 2)
  frame.write('Info', 21, 'latin1')
  frame.writeUInt32BE(1, 25)
  frame.writeUInt32BE(frames, 29)
  frame.write('LAME3.100', 33, 'latin1')
  frame.writeUIntBE((delay << 12) | padding, 33 + 21, 3)
  return frame
}

/** An ID3v2 tag, with bytes in it that are the beginning of frames of mp3. */
export const id3 = (size: number) => {
  const tag = Buffer.alloc(10 + size, 0xff)
  tag.write('ID3\x04\0\0', 'latin1')
  for (let i = 0; i < 4; i++) tag.writeUInt8((size >> (7 * (3 - i))) & 127, 6 + i)
  return tag
}
