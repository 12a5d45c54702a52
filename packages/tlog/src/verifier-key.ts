import { fromBase64, toBase64 } from './base64.ts'
import { concat, utf8Bytes } from './bytes.ts'
import { InvalidNote } from './errors.ts'
import { isKeyName, type SignatureType, signatureTypes, type Verifier } from './note.ts'

/* Public keys as people hand them on: `<name>+<key id>+<base64 of type and key>` (c2sp.org/signed-note). */

export type PublicKey = Pick<Verifier, 'name' | 'keyId' | 'type' | 'publicKey'>

const publicKeyBytes = (type: SignatureType): number => (type === 'ml-dsa-44-cosignature' ? 1312 : 32)

/** Throws `InvalidNote` for a name that some reader refuses, or a key of another length. */
export const checkPublicKey = ({ name, type, publicKey }: Omit<PublicKey, 'keyId'>): void => {
  if (!isKeyName(name)) throw new InvalidNote('has a name with blanks, plus or control characters')
  const length = publicKeyBytes(type)
  if (publicKey.length !== length)
    throw new InvalidNote(`has a key of ${publicKey.length} bytes in the place of ${length}`)
}

const typed = ({ type, publicKey }: Pick<PublicKey, 'type' | 'publicKey'>): Uint8Array =>
  concat(Uint8Array.of(signatureTypes[type]), publicKey)

/** Bytes whose SHA-256 begins with the key id: its first four. */
export const keyIdInput = ({ name, ...key }: Omit<PublicKey, 'keyId'>): Uint8Array =>
  concat(utf8Bytes(`${name}\n`), typed(key))

export const verifierKey = ({ name, keyId, ...key }: PublicKey): string =>
  `${name}+${keyId}+${toBase64(typed(key))}`

/** Reads a verifier key. Whether its id is of its key, who has a hash compares. Throws `InvalidNote`. */
export const parseKeyText = (text: string): PublicKey => {
  const [, name = '', keyId = '', encoded = ''] = /^([^+]*)\+([0-9a-fA-F]{8})\+(.*)$/s.exec(text) ?? []
  const bytes = fromBase64(encoded)
  if (bytes === undefined || bytes.length === 0) throw new InvalidNote('is no verifier key')
  const found = Object.entries(signatureTypes).find(([, byte]) => byte === bytes[0])
  if (!found) throw new InvalidNote(`is of type ${bytes[0]}, which nothing here verifies`)
  const key = {
    name,
    keyId: keyId.toLowerCase(),
    type: found[0] as SignatureType,
    publicKey: bytes.subarray(1),
  }
  checkPublicKey(key)
  return key
}

export const wrongKeyId = (): InvalidNote => new InvalidNote('has a key id that is not of its key')
