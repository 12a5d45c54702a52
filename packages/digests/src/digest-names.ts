/** Hex digits of each algorithm that can be computed here. */
export const digestDigits = {
  md5: 32,
  md2: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  crc32: 8,
  adler32: 8,
} as const
export type DigestAlgorithm = keyof typeof digestDigits

/** `SHA-256` → sha256; undefined for algorithms that cannot be computed here. */
export const digestAlgorithm = (name: string): DigestAlgorithm | undefined => {
  const bare = name.trim().toLowerCase().replaceAll(/[-_]/g, '')
  return Object.hasOwn(digestDigits, bare) ? (bare as DigestAlgorithm) : undefined
}
