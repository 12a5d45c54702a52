/** A stretch of sound at one rate. All channels are equally long. */
export interface Piece {
  readonly rate: number
  readonly channels: readonly Float32Array[]
}

/**
 * Decodes a file of one kind, from its first byte to its last. `expect` is called with the seconds that the
 * file states, if it does. Throws `Unreadable`.
 */
export type Decode = (
  bytes: AsyncIterable<Uint8Array>,
  expect: (seconds: number) => void,
) => AsyncGenerator<Piece>

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
