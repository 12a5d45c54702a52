import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { fromBase64, toBase64 } from '../base64.ts'
import { parseCheckpoint } from '../checkpoint.ts'
import { InvalidNote } from '../errors.ts'
import { isKeyName, type SignatureType, type Signer, signatureTypes, type Verifier } from '../note.ts'
import { sha256 } from './hashes.ts'

/* Keys of logs and witnesses: Ed25519 for notes, Ed25519 and ML-DSA-44 for cosignatures (c2sp.org/tlog-cosignature). */

interface Algorithm {
  /** Bytes before the raw key in its SubjectPublicKeyInfo. */
  readonly spki: Uint8Array
  readonly publicKeyBytes: number
}

const ed25519: Algorithm = {
  spki: Buffer.from('302a300506032b6570032100', 'hex'),
  publicKeyBytes: 32,
}
const mlDsa44: Algorithm = {
  spki: Buffer.from('30820532300b06096086480165030403110382052100', 'hex'),
  publicKeyBytes: 1312,
}

const algorithmOf = (type: SignatureType): Algorithm => (type === 'ml-dsa-44-cosignature' ? mlDsa44 : ed25519)

const keyIdOf = (name: string, type: SignatureType, publicKey: Uint8Array): string =>
  Buffer.from(
    sha256(
      Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([signatureTypes[type]]), publicKey]),
    ).subarray(0, 4),
  ).toString('hex')

/** The raw public key of a key, public or private. */
export const rawPublicKey = (key: KeyObject): Uint8Array => {
  const spki = (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })
  const of = key.asymmetricKeyType === 'ed25519' ? ed25519 : mlDsa44
  return spki.subarray(of.spki.length)
}

/** Throws `InvalidNote` for a name that some reader refuses, or a key of another length. */
export const verifierOf = (name: string, type: SignatureType, publicKey: Uint8Array): Verifier => {
  const { spki, publicKeyBytes } = algorithmOf(type)
  if (!isKeyName(name)) throw new InvalidNote('has a name with blanks, plus or control characters')
  if (publicKey.length !== publicKeyBytes)
    throw new InvalidNote(`has a key of ${publicKey.length} bytes in the place of ${publicKeyBytes}`)
  const key = createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' })
  return {
    ...{ name, type, publicKey, keyId: keyIdOf(name, type, publicKey) },
    isGood: (text, bytes) => {
      const message = messageOf(type, { name, text, bytes })
      return message !== undefined && verify(null, message.signed, key, message.signature)
    },
  }
}

/** The verifier key as people hand it on: `<name>+<key id>+<base64 of type and key>`. */
export const verifierKey = ({ name, keyId, type, publicKey }: Verifier): string =>
  `${name}+${keyId}+${toBase64(Buffer.concat([Buffer.from([signatureTypes[type]]), publicKey]))}`

/** Reads a verifier key. Throws `InvalidNote`. */
export const parseVerifierKey = (text: string): Verifier => {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes === undefined || bytes.length === 0) throw new InvalidNote('is no verifier key')
  const found = Object.entries(signatureTypes).find(([, byte]) => byte === bytes[0])
  if (!found) throw new InvalidNote(`is of type ${bytes[0]}, which nothing here verifies`)
  const verifier = verifierOf(name, found[0] as SignatureType, bytes.subarray(1))
  if (verifier.keyId !== keyId.toLowerCase()) throw new InvalidNote('has a key id that is not of its key')
  return verifier
}

/** Signs notes by an Ed25519 key. */
export const noteSigner = (name: string, privateKey: KeyObject): Signer => {
  const verifier = verifierOf(name, 'ed25519', rawPublicKey(privateKey))
  return {
    verifier,
    sign: (text) => ({ name, keyId: verifier.keyId, bytes: sign(null, Buffer.from(text), privateKey) }),
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
      const signed = type === 'ed25519-cosignature' ? timed(text, time) : subtree(name, text, time)
      const bytes = Buffer.concat([uint64(time), sign(null, signed, privateKey)])
      return { name, keyId: verifier.keyId, bytes }
    },
  }
}

/** Time of a cosignature, in seconds since 1970; 0: it says nothing of a time. Undefined for signatures without one. */
export const cosignedAt = (type: SignatureType, bytes: Uint8Array): bigint | undefined =>
  type === 'ed25519' || bytes.length < 8 ? undefined : Buffer.from(bytes).readBigUInt64BE()

interface Signed {
  readonly name: string
  readonly text: string
  readonly bytes: Uint8Array
}

const messageOf = (type: SignatureType, { name, text, bytes }: Signed) => {
  if (type === 'ed25519') return { signed: Buffer.from(text), signature: bytes }
  const time = cosignedAt(type, bytes)
  if (time === undefined || time >= 2n ** 63n) return undefined
  try {
    const signed = type === 'ed25519-cosignature' ? timed(text, time) : subtree(name, text, time)
    return { signed, signature: bytes.subarray(8) }
  } catch (error) {
    // Only a checkpoint can be cosigned.
    if (error instanceof InvalidNote) return undefined
    throw error
  }
}

const timed = (text: string, time: bigint): Uint8Array => {
  parseCheckpoint(text)
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)
}

/** The tree of a checkpoint as ML-DSA-44 signs it: further lines of the note are not in it. */
const subtree = (name: string, text: string, time: bigint): Uint8Array => {
  const { origin, size, root } = parseCheckpoint(text)
  return Buffer.concat([
    Buffer.from('subtree/v1\n\0'),
    shortText(name),
    uint64(time),
    shortText(origin),
    uint64(0n),
    uint64(size),
    root,
  ])
}

const shortText = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  if (bytes.length > 255) throw new InvalidNote('has a name or an origin of more than 255 bytes')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

const uint64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
