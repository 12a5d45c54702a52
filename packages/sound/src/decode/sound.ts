import type { ReadBytes } from './sniff.ts'

/** A stretch of sound at one rate. All channels are equally long. */
export interface Piece {
  readonly rate: number
  readonly channels: readonly Float32Array[]
  /** Silence in place of sound that cannot be decoded: of as much, or of about as much. */
  readonly lost?: 'as-much' | 'about'
  /** Samples of such silence that come next. */
  readonly lostNext?: number
}

/** The end: so many samples are missing behind the last piece, by the length that the file states. */
export interface Missing {
  readonly rate: number
  readonly missing: number
  /** The file may state any length, as those do that are written while their end is unknown. */
  readonly isDoubtful?: true
}

export type Sound = Piece | Missing

export interface SoundFile {
  readonly read: ReadBytes
  /** Offset of its first byte behind tags. */
  readonly start: number
  /** Its bytes from `from` to before `to`; all from `start` on unless said. */
  bytes(from?: number, to?: number): AsyncGenerator<Uint8Array>
}

/** Decodes a file of one kind, from its first byte to its last. Throws `Unreadable`. */
export type Decode = (file: SoundFile) => AsyncGenerator<Sound>

const silentAtOnce = 65_536

/** Stands for sound that cannot be decoded, so that what follows is at its place. */
export function* silence(
  rate: number,
  samples: number,
  lost: 'as-much' | 'about' = 'as-much',
): Generator<Piece> {
  for (let left = samples; left > 0; left -= silentAtOnce) {
    const count = Math.min(left, silentAtOnce)
    yield { rate, channels: [new Float32Array(count)], lost, lostNext: left - count }
  }
}

/**
 * A file that cannot be decoded. The message continues its name or address, and says what to do: "is empty;
 * ...".
 */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Sample rates that are supported, in Hz. */
export const minRate = 1000
export const maxRate = 384_000

/** The average of all channels. */
export const mono = ({ channels }: Piece): Float32Array => {
  const [first, second] = channels
  if (!first) return new Float32Array()
  if (!second) return first
  const mixed = new Float32Array(first.length)
  if (channels.length === 2) for (let i = 0; i < mixed.length; i++) mixed[i] = (first[i]! + second[i]!) / 2
  else
    for (const channel of channels)
      for (let i = 0; i < mixed.length; i++) mixed[i]! += channel[i]! / channels.length
  return mixed
}
