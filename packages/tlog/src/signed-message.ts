import { concat, uint64, utf8Bytes } from './bytes.ts'
import { parseCheckpoint } from './checkpoint.ts'
import { InvalidNote } from './errors.ts'
import type { SignatureType } from './note.ts'

/* The bytes that a key signs: of a note its text, of a cosignature the checkpoint with a time (c2sp.org/tlog-cosignature). */

/** Time of a cosignature, in seconds since 1970; 0: it says nothing of a time. Undefined for signatures without one. */
export const cosignedAt = (type: SignatureType, bytes: Uint8Array): bigint | undefined =>
  type === 'ed25519' || bytes.length < 8
    ? undefined
    : new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)

interface Signed {
  readonly name: string
  readonly text: string
  /** The signature as its line has it. */
  readonly bytes: Uint8Array
}

/** The bytes that were signed, and the signature of the algorithm; undefined for a text that the type cannot sign. */
export const signedMessage = (
  type: SignatureType,
  { name, text, bytes }: Signed,
): { readonly signed: Uint8Array<ArrayBuffer>; readonly signature: Uint8Array } | undefined => {
  if (type === 'ed25519') return { signed: utf8Bytes(text), signature: bytes }
  const time = cosignedAt(type, bytes)
  if (time === undefined || time >= 2n ** 63n) return undefined
  try {
    return { signed: timedMessage(type, name, text, time), signature: bytes.subarray(8) }
  } catch (error) {
    // Only a checkpoint can be cosigned.
    if (error instanceof InvalidNote) return undefined
    throw error
  }
}

/** `time`: seconds since 1970. Throws `InvalidNote` for a text that is no checkpoint. */
export const timedMessage = (
  type: SignatureType,
  name: string,
  text: string,
  time: bigint,
): Uint8Array<ArrayBuffer> => {
  const { origin, size, root } = parseCheckpoint(text)
  return type === 'ed25519-cosignature'
    ? utf8Bytes(`cosignature/v1\ntime ${time}\n${text}`)
    : // The tree as ML-DSA-44 signs it: further lines of the note are not in it.
      concat(
        utf8Bytes('subtree/v1\n\0'),
        ...[shortText(name), uint64(time), shortText(origin), uint64(0n), uint64(size), root],
      )
}

const shortText = (text: string): Uint8Array => {
  const bytes = utf8Bytes(text)
  if (bytes.length > 255) throw new InvalidNote('has a name or an origin of more than 255 bytes')
  return concat(Uint8Array.of(bytes.length), bytes)
}
