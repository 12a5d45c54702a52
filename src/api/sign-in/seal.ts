import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'

/** Values that a browser keeps for us, and can neither read nor change. */
export interface Seal<A> {
  readonly close: (value: A) => string
  /** Undefined for a text that was not made by the same secret, for the same purpose. */
  readonly open: (text: string) => A | undefined
}

const [nonceBytes, tagBytes] = [12, 16]

/** AES-256-GCM, by a key of its own for each purpose (HKDF, RFC 5869). */
export const createSeal = <A>(codec: t.Type<A>, secret: string, purpose: string): Seal<A> => {
  const key = Buffer.from(hkdfSync('sha256', secret, 'fonds', purpose, 32))
  return {
    close: (value) => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64url')
      if (bytes.length <= nonceBytes + tagBytes) return undefined
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
          authTagLength: tagBytes,
        })
        decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
        const opened = Buffer.concat([
          decipher.update(bytes.subarray(nonceBytes + tagBytes)),
          decipher.final(),
        ])
        const decoded = codec.decode(JSON.parse(opened.toString('utf8')))
        return isLeft(decoded) ? undefined : decoded.right
      } catch {
        return undefined
      }
    },
  }
}
