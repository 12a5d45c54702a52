import { createHash } from 'node:crypto'

/**
 * Commitment to a personal value, form `fonds.personal/v1`: SHA-256 in base64url of the line `fonds.personal/v1`, its line feed
 * (U+000A), 32 bytes of salt, and the value in UTF-8. Without the salt, nobody finds the value by trying likely ones.
 */
export const personalCommitment = (salt: Uint8Array, value: string): string => {
  if (salt.length !== saltBytes) throw new RangeError(`a salt has ${saltBytes} bytes, not ${salt.length}`)
  return createHash('sha256')
    .update('fonds.personal/v1\n')
    .update(salt)
    .update(value, 'utf8')
    .digest('base64url')
}

const saltBytes = 32
