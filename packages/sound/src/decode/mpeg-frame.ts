/** The header of a frame of MPEG audio, layer III: its first four bytes. */
export interface FrameHead {
  readonly rate: number
  /** Samples of each channel. */
  readonly samples: number
  /** Length of the whole frame, including its header. */
  readonly bytes: number
  /** Offset of the encoder's tag, if this frame holds one. */
  readonly tagAt: number
}

const bitrates = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  second: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const rates = [44_100, 48_000, 32_000]

/** Returns the layer (1, 2 or 3) of the frame header at `at`; undefined if there is none. */
export const layerAt = (bytes: Buffer, at: number): number | undefined => {
  if (at + 4 > bytes.length || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe0) !== 0xe0) return undefined
  const version = (bytes[at + 1]! >> 3) & 3
  const layer = (bytes[at + 1]! >> 1) & 3
  const isPossible =
    bytes[at + 2]! >> 4 !== 15 && ((bytes[at + 2]! >> 2) & 3) !== 3 && (bytes[at + 3]! & 3) !== 2
  return version !== 1 && layer !== 0 && isPossible ? 4 - layer : undefined
}

/**
 * Reads the header of a layer III frame. Returns undefined if there is none, or if it is of the rare free bit
 * rate, which does not state the frame's length.
 */
export const frameAt = (bytes: Buffer, at: number): FrameHead | undefined => {
  if (layerAt(bytes, at) !== 3) return undefined
  const version = (bytes[at + 1]! >> 3) & 3
  const isFirst = version === 3
  const bitrate = (isFirst ? bitrates.first : bitrates.second)[bytes[at + 2]! >> 4]
  const base = rates[(bytes[at + 2]! >> 2) & 3]
  if (!bitrate || !base) return undefined
  const rate = isFirst ? base : version === 2 ? base / 2 : base / 4
  const padding = (bytes[at + 2]! >> 1) & 1
  const isMono = bytes[at + 3]! >> 6 === 3
  const sideInformation = isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17
  return {
    rate,
    samples: isFirst ? 1152 : 576,
    bytes: Math.floor(((isFirst ? 144 : 72) * bitrate * 1000) / rate) + padding,
    tagAt: 4 + sideInformation,
  }
}

/** The encoder's description of the whole file, in a frame that holds no sound. */
export interface EncoderTag {
  readonly frames?: number
  /** Samples that the encoder put before the sound and behind it. */
  readonly delay?: number
  readonly padding?: number
}

/** Reads Xing's tag with LAME's extension, or the number of frames from VBRI's. */
export const encoderTag = (frame: Buffer, { tagAt }: FrameHead): EncoderTag | undefined => {
  const is = (at: number, ...names: string[]) => names.includes(frame.toString('latin1', at, at + 4))
  if (is(36, 'VBRI') && frame.length >= 54) return { frames: frame.readUInt32BE(50) }
  if (!is(tagAt, 'Xing', 'Info') || frame.length < tagAt + 8) return undefined
  const flags = frame.readUInt32BE(tagAt + 4)
  const framesAt = tagAt + 8
  const lameAt =
    framesAt + (flags & 1 ? 4 : 0) + (flags & 2 ? 4 : 0) + (flags & 4 ? 100 : 0) + (flags & 8 ? 4 : 0)
  const frames = flags & 1 && frame.length >= framesAt + 4 ? { frames: frame.readUInt32BE(framesAt) } : {}
  if (frame.length < lameAt + 24) return frames
  const gap = frame.readUIntBE(lameAt + 21, 3)
  return gap === 0 ? frames : { ...frames, delay: gap >> 12, padding: gap & 0xfff }
}
