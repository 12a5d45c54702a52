import { fromBase64, toBase64 } from './base64.ts'
import { InvalidNote } from './errors.ts'
import { emptyRoot, hashBytes, isSameHash } from './hash.ts'
import { isKeyName } from './note.ts'

/* Checkpoints: the text of a note that says how large the tree of a log is, and its root, as c2sp.org/tlog-checkpoint has it. */

export interface Checkpoint {
  /** Name of the log: a URL without its scheme, or any other text without blanks and plus. */
  readonly origin: string
  readonly size: bigint
  readonly root: Uint8Array
}

const maxSize = 2n ** 63n - 1n

/** Returns a number of leaves, or an index, in its one form; undefined for any other text, and from 2^63 on. */
export const parseCount = (text: string): bigint | undefined => {
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) return undefined
  const count = BigInt(text)
  return count <= maxSize ? count : undefined
}

/** Returns a hash in base64; undefined for any other text. */
export const parseHash = (text: string): Uint8Array | undefined => {
  const bytes = fromBase64(text)
  return bytes?.length === hashBytes ? bytes : undefined
}

/** Throws `InvalidNote` for an origin that some reader refuses. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string => {
  if (!isKeyName(origin)) throw new InvalidNote('has an origin with blanks, plus or control characters')
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Returns whether a root may be of a tree of that size: the empty tree has one of its own. */
export const isRootOfSize = ({ size, root }: Checkpoint): boolean =>
  (size === 0n) === isSameHash(root, emptyRoot)

/**
 * Reads the text of a note as a checkpoint. Lines behind the third, which the format allows, are not returned. Throws
 * `InvalidNote`.
 */
export const parseCheckpoint = (text: string): Checkpoint => {
  const head = parseHead(text)
  if (!isRootOfSize(head)) throw new InvalidNote('has a root that is not the root of its size')
  return head
}

/** As `parseCheckpoint`, whatever the root: a witness answers otherwise to a wrong one. */
export const parseHead = (text: string): Checkpoint => {
  const [origin = '', sizeLine = '', rootLine = '', ...more] = text.split('\n')
  if (origin === '') throw new InvalidNote('has no origin in its first line')
  const size = parseCount(sizeLine)
  if (size === undefined) throw new InvalidNote('has no size in its second line')
  const root = parseHash(rootLine)
  if (root === undefined) throw new InvalidNote('has no root in its third line')
  if (more.at(-1) !== '' || more.slice(0, -1).includes(''))
    throw new InvalidNote('has an empty line, or does not end in a line feed')
  return { origin, size, root }
}
