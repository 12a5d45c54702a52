type Layer = 1 | 2 | 3

/** The header of a frame of MPEG audio: its first four bytes. */
export interface FrameHead {
  readonly layer: Layer
  readonly rate: number
  /** Samples of each channel. */
  readonly samples: number
  /** Length of the whole frame, including its header. */
  readonly bytes: number
  /** Offset of the encoder's tag, if this frame holds one. */
  readonly tagAt: number
}

/** Kilobits a second by layer: of MPEG-1, and of MPEG-2 and 2.5. */
const bitrates = {
  first: {
    1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  },
  second: {
    1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    3: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  },
} as const
const rates = [44_100, 48_000, 32_000]

/** Layer 2 of 160 kbit/s at 8 kHz, with padding. */
export const maxFrameBytes = 2881

/** Returns the layer of the frame header at `at`; undefined if there is none. */
const layerAt = (bytes: Buffer, at: number): Layer | undefined => {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined
  const version = (bytes[at + 1]! >> 3) & 3
  const layer = (bytes[at + 1]! >> 1) & 3
  const isPossible =
    bytes[at + 2]! >> 4 !== 15 && ((bytes[at + 2]! >> 2) & 3) !== 3 && (bytes[at + 3]! & 3) !== 2
  return version !== 1 && layer !== 0 && isPossible ? ((4 - layer) as Layer) : undefined
}

/**
 * Reads the header of a frame. Returns undefined if there is none, or if it is of the rare free bit rate, which
 * does not state the frame's length.
 */
export const frameAt = (bytes: Buffer, at: number): FrameHead | undefined => {
  const layer = layerAt(bytes, at)
  if (layer === undefined) return undefined
  const version = (bytes[at + 1]! >> 3) & 3
  const isFirst = version === 3
  const bitrate = (isFirst ? bitrates.first : bitrates.second)[layer][bytes[at + 2]! >> 4]
  const base = rates[(bytes[at + 2]! >> 2) & 3]
  if (!bitrate || !base) return undefined
  const rate = isFirst ? base : version === 2 ? base / 2 : base / 4
  const padding = (bytes[at + 2]! >> 1) & 1
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152
  /** Bytes of a slot, in which the length is counted. */
  const slot = layer === 1 ? 4 : 1
  const isMono = bytes[at + 3]! >> 6 === 3
  const sideInformation = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return {
    layer,
    rate,
    samples,
    bytes: (Math.floor(((samples / 8 / slot) * bitrate * 1000) / rate) + padding) * slot,
    tagAt: 4 + sideInformation,
  }
}

/** Frames of one stream: of one layer and one rate. */
export const areAlike = (one: FrameHead, other: FrameHead): boolean =>
  one.layer === other.layer && one.rate === other.rate && one.samples === other.samples

/** The encoder's description of the whole file, in a frame that holds no sound. */
export interface EncoderTag {
  readonly frames?: number
  /** Samples that the encoder put before the sound and behind it. */
  readonly delay?: number
  readonly padding?: number
}

/** Reads Xing's tag with LAME's extension, or the number of frames from VBRI's. */
export const encoderTag = (frame: Buffer, { layer, tagAt }: FrameHead): EncoderTag | undefined => {
  if (layer !== 3) return undefined
  if (isMark(frame, 36, vbri) && frame.length >= 54) return { frames: frame.readUInt32BE(50) }
  if (!(isMark(frame, tagAt, xing) || isMark(frame, tagAt, info)) || frame.length < tagAt + 8)
    return undefined
  const flags = frame.readUInt32BE(tagAt + 4)
  const framesAt = tagAt + 8
  const lameAt =
    framesAt + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0)
  const frames = flags & 1 && frame.length >= framesAt + 4 ? { frames: frame.readUInt32BE(framesAt) } : {}
  if (frame.length < lameAt + 24) return frames
  const gap = frame.readUIntBE(lameAt + 21, 3)
  return gap === 0 ? frames : { ...frames, delay: gap >> 12, padding: gap & 0xfff }
}

const vbri = 0x5642_5249
const xing = 0x5869_6e67
const info = 0x496e_666f

const isMark = (frame: Buffer, at: number, mark: number): boolean =>
  at + 4 <= frame.length && frame.readUInt32BE(at) === mark
