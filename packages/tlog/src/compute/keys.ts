import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { concat, toHex, uint64, utf8Bytes } from '../bytes.ts'
import type { SignatureType, Signer, Verifier } from '../note.ts'
import { signedMessage, timedMessage } from '../signed-message.ts'
import { checkPublicKey, keyIdInput, parseKeyText, wrongKeyId } from '../verifier-key.ts'
import { sha256 } from './hashes.ts'

/* Keys of logs and witnesses: Ed25519 for notes, Ed25519 and ML-DSA-44 for cosignatures (c2sp.org/tlog-cosignature). */

/** Bytes before the raw key in its SubjectPublicKeyInfo. */
const spki = {
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
  mlDsa44: Buffer.from('30820532300b06096086480165030403110382052100', 'hex'),
}

/** The raw public key of a key, public or private. */
export const rawPublicKey = (key: KeyObject): Uint8Array => {
  const whole = (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })
  return whole.subarray((key.asymmetricKeyType === 'ed25519' ? spki.ed25519 : spki.mlDsa44).length)
}

/** Throws `InvalidNote` for a name that some reader refuses, or a key of another length. */
export const verifierOf = (name: string, type: SignatureType, publicKey: Uint8Array): Verifier => {
  checkPublicKey({ name, type, publicKey })
  const before = type === 'ml-dsa-44-cosignature' ? spki.mlDsa44 : spki.ed25519
  const key = createPublicKey({ key: Buffer.concat([before, publicKey]), format: 'der', type: 'spki' })
  return {
    ...{ name, type, publicKey, keyId: toHex(sha256(keyIdInput({ name, type, publicKey })).subarray(0, 4)) },
    isGood: (text, bytes) => {
      const message = signedMessage(type, { name, text, bytes })
      return message !== undefined && verify(null, message.signed, key, message.signature)
    },
  }
}

/** Reads a verifier key. Throws `InvalidNote`. */
export const parseVerifierKey = (text: string): Verifier => {
  const { name, keyId, type, publicKey } = parseKeyText(text)
  const verifier = verifierOf(name, type, publicKey)
  if (verifier.keyId !== keyId) throw wrongKeyId()
  return verifier
}

/** Signs notes by an Ed25519 key. */
export const noteSigner = (name: string, privateKey: KeyObject): Signer => {
  const verifier = verifierOf(name, 'ed25519', rawPublicKey(privateKey))
  return {
    verifier,
    sign: (text) => ({ name, keyId: verifier.keyId, bytes: sign(null, utf8Bytes(text), privateKey) }),
  }
}

/** Signs checkpoints with the time, by an Ed25519 or an ML-DSA-44 key. `seconds`: since 1970. */
export const cosigner = (name: string, privateKey: KeyObject, seconds: () => number): Signer => {
  const type = privateKey.asymmetricKeyType === 'ed25519' ? 'ed25519-cosignature' : 'ml-dsa-44-cosignature'
  const verifier = verifierOf(name, type, rawPublicKey(privateKey))
  return {
    verifier,
    sign: (text) => {
      const time = BigInt(seconds())
      const bytes = concat(uint64(time), sign(null, timedMessage(type, name, text, time), privateKey))
      return { name, keyId: verifier.keyId, bytes }
    },
  }
}
