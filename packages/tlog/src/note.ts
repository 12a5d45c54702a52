import { fromBase64, toBase64 } from './base64.ts'
import { concat, fromHex, toHex } from './bytes.ts'
import { InvalidNote, UntrustedNote } from './errors.ts'

/* Notes: a text with lines of signatures, as c2sp.org/signed-note has them. */

export interface Signature {
  readonly name: string
  /** The first bytes of a digest of name, type and key: eight digits in lower-case hex. */
  readonly keyId: string
  readonly bytes: Uint8Array
}

export interface Note {
  /** With its final line feed. */
  readonly text: string
  readonly signatures: readonly Signature[]
}

/** A public key under a name. */
export interface Verifier extends Pick<Signature, 'name' | 'keyId'> {
  readonly type: SignatureType
  /** Raw bytes: 32 of Ed25519, 1,312 of ML-DSA-44. */
  readonly publicKey: Uint8Array
  isGood(text: string, signature: Uint8Array): boolean
}

export interface Signer {
  readonly verifier: Verifier
  sign(text: string): Signature
}

/** Types of signatures by their byte: of a note, and the two of cosignatures, which hold a time. */
export const signatureTypes = { ed25519: 1, 'ed25519-cosignature': 4, 'ml-dsa-44-cosignature': 6 } as const
export type SignatureType = keyof typeof signatureTypes

const maxNoteBytes = 1_000_000
const maxSignatures = 100
const dash = '—'

/** Names of keys, and origins of logs, as every reader takes them: nothing that is blank, no plus, no control characters. */
export const isKeyName = (name: string): boolean => /^[^\s+\p{Cc}\p{Z}]+$/u.test(name)

export const signatureLine = ({ name, keyId, bytes }: Signature): string =>
  `${dash} ${name} ${toBase64(concat(fromHex(keyId), bytes))}\n`

export const noteText = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(signatureLine).join('')}`

/** Signs a text that ends in a line feed, and has no line that is empty. Throws `InvalidNote` for any other. */
export const signedNote = (text: string, signers: readonly Signer[]): Note => {
  if (!text.endsWith('\n') || hasControls(text)) throw new InvalidNote('is no text that can be signed')
  if (/^\n|\n\n/.test(text)) throw new InvalidNote('has a line that is empty')
  return { text, signatures: signers.map((signer) => signer.sign(text)) }
}

const hasControls = (text: string): boolean => /[^\P{Cc}\n\u007f-\u009f]/u.test(text)

/** Reads a note; nothing of it may be believed yet. Throws `InvalidNote`. */
export const parseNote = (bytes: Uint8Array | string): Note => {
  const whole = typeof bytes === 'string' ? bytes : utf8(bytes)
  if (whole.length > maxNoteBytes) throw new InvalidNote(`is longer than ${maxNoteBytes} bytes`)
  if (hasControls(whole)) throw new InvalidNote('has control characters')
  const end = whole.lastIndexOf('\n\n')
  if (end < 0) throw new InvalidNote('has no empty line before its signatures')
  const lines = parseSignatures(whole.slice(end + 2))
  if (lines.length === 0) throw new InvalidNote('has no signatures')
  return { text: whole.slice(0, end + 1), signatures: lines }
}

const utf8 = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new InvalidNote('is no UTF-8 text')
  }
}

/** Reads lines of signatures, as a witness answers them. Throws `InvalidNote`. */
export const parseSignatures = (text: string): readonly Signature[] => {
  if (!text.endsWith('\n') && text !== '') throw new InvalidNote('does not end in a line feed')
  const lines = text.split('\n').slice(0, -1)
  if (lines.length > maxSignatures) throw new InvalidNote(`has more than ${maxSignatures} signatures`)
  return lines.map((line) => {
    const [start, name = '', encoded = '', ...more] = line.split(' ')
    const bytes = fromBase64(encoded)
    if (start !== dash || more.length > 0 || !isKeyName(name) || bytes === undefined || bytes.length < 5)
      throw new InvalidNote('has a line among its signatures that is none')
    return { name, keyId: toHex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) }
  })
}

const isOf = (key: Pick<Signature, 'name' | 'keyId'>, line: Pick<Signature, 'name' | 'keyId'>): boolean =>
  key.name === line.name && key.keyId === line.keyId

export interface Verified {
  readonly verifier: Verifier
  readonly signature: Signature
}

/**
 * Returns the signatures of keys that are known, of each key the first. Those of other keys are not looked at.
 * Throws `UntrustedNote` if one is wrong.
 */
export const verifiedSignatures = (
  { text, signatures }: Note,
  verifiers: readonly Verifier[],
): readonly Verified[] =>
  verifiers.flatMap((verifier) => {
    const signature = signatures.find((line) => isOf(verifier, line))
    if (signature === undefined) return []
    if (!verifier.isGood(text, signature.bytes))
      throw new UntrustedNote(`has a signature by ${verifier.name} that is wrong`)
    return [{ verifier, signature }]
  })

/** Returns a note that at least one known key signed. Throws `InvalidNote`, `UntrustedNote`. */
export const openNote = (
  bytes: Uint8Array | string,
  verifiers: readonly Verifier[],
): Note & { readonly verified: readonly Verified[] } => {
  const note = parseNote(bytes)
  const verified = verifiedSignatures(note, verifiers)
  if (verified.length === 0) throw new UntrustedNote('is signed by no key that is known')
  return { ...note, verified }
}

/** The note with these signatures; one of the same key is replaced, for readers look at the first alone. */
export const withSignatures = (note: Note, added: readonly Signature[]): Note => ({
  text: note.text,
  signatures: [...note.signatures.filter((line) => !added.some((one) => isOf(one, line))), ...added],
})
