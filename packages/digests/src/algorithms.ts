/* Digest algorithms, and what hashlib of Python, Java, OpenSSL and the tools of checksum files call them. */

/** Known algorithms, with the bytes of a digest. */
export const digestBytes = {
  md2: 16,
  md4: 16,
  md5: 16,
  'sha-1': 20,
  'sha-224': 28,
  'sha-256': 32,
  'sha-384': 48,
  'sha-512': 64,
  'sha-512/224': 28,
  'sha-512/256': 32,
  'sha3-224': 28,
  'sha3-256': 32,
  'sha3-384': 48,
  'sha3-512': 64,
  'shake128-128': 16,
  'shake128-256': 32,
  'shake256-256': 32,
  'shake256-512': 64,
  'blake2b-160': 20,
  'blake2b-256': 32,
  'blake2b-384': 48,
  'blake2b-512': 64,
  'blake2s-128': 16,
  'blake2s-160': 20,
  'blake2s-224': 28,
  'blake2s-256': 32,
  blake3: 32,
  'ripemd-160': 20,
  sm3: 32,
  whirlpool: 64,
  'md5-sha1': 36,
  crc32: 4,
  crc32c: 4,
  crc64nvme: 8,
  adler32: 4,
} as const
export type Algorithm = keyof typeof digestBytes
export const algorithms = Object.keys(digestBytes) as readonly Algorithm[]

export const isAlgorithm = (name: string): name is Algorithm => Object.hasOwn(digestBytes, name)

/** Punctuation, blanks and case tell no algorithms apart: RFC 8493 §2.4 leaves them out of names of manifests. */
const bareName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[-_ /.:()]/g, '')

/** Other names, bare: of Java (`SHA`), OpenSSL (`SHA2-256`, `rmd160`), FreeBSD (`SHA512t256`). */
const otherNames: Readonly<Record<string, Algorithm>> = {
  sha: 'sha-1',
  sha2224: 'sha-224',
  sha2256: 'sha-256',
  sha2384: 'sha-384',
  sha2512: 'sha-512',
  sha2512224: 'sha-512/224',
  sha2512256: 'sha-512/256',
  sha512t224: 'sha-512/224',
  sha512t256: 'sha-512/256',
  ripemd: 'ripemd-160',
  rmd160: 'ripemd-160',
  b3: 'blake3',
  b3sum: 'blake3',
}

const byBareName: ReadonlyMap<string, Algorithm> = new Map([
  ...algorithms.map((algorithm) => [bareName(algorithm), algorithm] as const),
  ...Object.entries(otherNames),
])

interface Family {
  readonly name: string
  /** How the names of its algorithms begin. */
  readonly prefix: string
}

const family = (name: string, prefix = name): Family => ({ name, prefix })

/** Names without a length, bare: the digits of the value decide the algorithm. */
const families: Readonly<Record<string, Family>> = {
  blake2b: family('blake2b'),
  b2: family('blake2b'),
  b2sum: family('blake2b'),
  blake2s: family('blake2s'),
  sha2: family('sha2', 'sha'),
  sha3: family('sha3'),
  shake128: family('shake128'),
  shake256: family('shake256'),
}

/** OpenSSL and older versions of hashlib name digests by the signatures that are made with them, too. */
const withoutSignature = (bare: string): string =>
  bare
    .replace(/^(rsa|ssl3|idrsassapkcs1v15with)(?=md|sha|sm|ripemd)/, '')
    .replace(/with(rsa|rsaencryption)$/, '')
    .replace(/^sha12$/, 'sha1')

/** `SHA256`, `sha_256`, `sha256` → `sha-256`; `b2sum` → `blake2b`. Unknown names are only lower-cased. */
export const algorithmName = (name: string): string =>
  isAlgorithm(name) ? name : (algorithmCalled(name) ?? familyNamed(name)?.name ?? name.trim().toLowerCase())

const familyNamed = (name: string): Family | undefined => {
  const bare = bareName(name)
  return Object.hasOwn(families, bare) ? families[bare] : undefined
}

const algorithmCalled = (name: string): Algorithm | undefined => {
  const bare = bareName(name)
  return byBareName.get(bare) ?? byBareName.get(withoutSignature(bare))
}

/** The algorithm of a name and the bytes of a digest; undefined if it is not known. */
export const algorithmOfLength = (name: string, bytes: number): Algorithm | undefined => {
  const named = familyNamed(name)
  const algorithm = named ? `${named.prefix}-${bytes * 8}` : algorithmCalled(name)
  return algorithm !== undefined && isAlgorithm(algorithm) ? algorithm : undefined
}

/** True for a name of an algorithm, or of a family whose member the digits of a value decide. */
export const isAlgorithmName = (name: string): boolean =>
  algorithmCalled(name) !== undefined || familyNamed(name) !== undefined
