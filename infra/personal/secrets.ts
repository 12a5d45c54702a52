import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { personalText } from '../../src/domain/kernel/personal.ts'
import { personalCommitment } from '../../src/domain/kernel/personal-commitment.ts'

/*
 * Each value has a random key of its own, which is kept wrapped by the master key. Reference, salt and the key of the cipher are
 * derived from it: where it is destroyed, nothing leads from the reference to the value, the master key included.
 */

export const keyBytes = 32

const derived = (key: Uint8Array, purpose: string): Buffer =>
  createHmac('sha256', key).update(`fonds.personal/v1 ${purpose}`).digest()

const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM: nonce, ciphertext, tag. */
const locked = (key: Uint8Array, text: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Throws where the key is another one, or a byte was changed. */
const unlocked = (key: Uint8Array, bytes: Uint8Array): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes))
  return Buffer.concat([
    decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes)),
    decipher.final(),
  ])
}

/** A value as it is kept. */
export interface Sealed {
  readonly reference: string
  /** Finds the same value again; nobody without the master key can compute it. */
  readonly lookup: Uint8Array
  readonly key: Uint8Array
  readonly value: Uint8Array
}

export interface Secrets {
  /** Tells whether a file was written under this master key. */
  readonly check: Buffer
  lookup(text: string): Buffer
  /** Tells texts of this archive from others'. */
  mark(text: string): string
  seal(text: string, key?: Uint8Array): Sealed
  /** Throws where they were written under another master key. */
  open(kept: Pick<Sealed, 'key' | 'value'>): { readonly text: string; readonly salt: string }
}

export const secretsOf = (master: Uint8Array): Secrets => {
  const wrapping = derived(master, 'wrap')
  const finding = derived(master, 'lookup')
  const marking = derived(master, 'mark')
  const lookup = (text: string) => createHmac('sha256', finding).update(text, 'utf8').digest()
  return {
    check: derived(master, 'check'),
    lookup,
    mark: (text) => createHmac('sha256', marking).update(text, 'utf8').digest('base64url'),
    seal: (text, key = randomBytes(keyBytes)) => {
      const reference = derived(key, 'reference').subarray(0, 16).toString('base64url')
      return {
        reference: personalText(reference, personalCommitment(derived(key, 'salt'), text), text),
        lookup: lookup(text),
        key: locked(wrapping, key),
        value: locked(derived(key, 'value'), Buffer.from(text, 'utf8')),
      }
    },
    open: ({ key: wrapped, value }) => {
      const key = unlocked(wrapping, wrapped)
      return {
        text: unlocked(derived(key, 'value'), value).toString('utf8'),
        salt: derived(key, 'salt').toString('base64url'),
      }
    },
  }
}
