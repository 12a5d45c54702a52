import { toHex } from '../bytes.ts'
import type { Note } from '../note.ts'
import { signedMessage } from '../signed-message.ts'
import { keyIdInput, type PublicKey, parseKeyText, wrongKeyId } from '../verifier-key.ts'
import { sha256 } from './hashes.ts'

/** Reads a verifier key. Rejects with `InvalidNote`. */
export const parseVerifierKey = async (text: string): Promise<PublicKey> => {
  const key = parseKeyText(text)
  if (toHex((await sha256(keyIdInput(key))).subarray(0, 4)) !== key.keyId) throw wrongKeyId()
  return key
}

/**
 * Whether the first signature of this key in a note is good; undefined if it has none. Browsers verify Ed25519 alone: rejects with
 * `NotSupportedError` for what this one does not.
 */
export const isSignedBy = async (key: PublicKey, note: Note): Promise<boolean | undefined> => {
  const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.keyId)
  if (!line) return undefined
  if (key.type === 'ml-dsa-44-cosignature')
    throw new DOMException('ML-DSA-44 is not verified here', 'NotSupportedError')
  const message = signedMessage(key.type, { name: key.name, text: note.text, bytes: line.bytes })
  if (!message) return false
  const publicKey = await crypto.subtle.importKey(
    'raw',
    new Uint8Array(key.publicKey),
    { name: 'Ed25519' },
    false,
    ['verify'],
  )
  return crypto.subtle.verify('Ed25519', publicKey, new Uint8Array(message.signature), message.signed)
}
