import { fromBase64, toBase64 } from './base64.ts'
import { parseCount, parseHash } from './checkpoint.ts'
import { InvalidNote } from './errors.ts'

/* A proof in a file that needs nothing else: a leaf's place, its hashes, and the checkpoint (c2sp.org/tlog-proof, version 1). */

export interface ProofFile {
  /** Whatever the maker adds. Nothing signs it. */
  readonly extra?: Uint8Array
  readonly index: bigint
  /** Hashes from the leaf's sibling up. */
  readonly proof: readonly Uint8Array[]
  /** The signed checkpoint, as it came. */
  readonly checkpoint: string
}

const firstLine = 'c2sp.org/tlog-proof@v1'
/** A tree of 2^63 leaves has no longer proof. */
const maxHashes = 63

export const proofFileText = ({ extra, index, proof, checkpoint }: ProofFile): string =>
  [
    firstLine,
    ...(extra === undefined ? [] : [`extra ${toBase64(extra)}`]),
    `index ${index}`,
    ...proof.map(toBase64),
    '',
    checkpoint,
  ].join('\n')

/** Reads a proof; nothing of it may be believed yet. Throws `InvalidNote`. */
export const parseProofFile = (text: string): ProofFile => {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== firstLine) throw new InvalidNote(`does not begin with the line ${firstLine}`)
  const [, encoded] = /^extra (.*)$/.exec(lines[0] ?? '') ?? []
  const [indexLine = '', ...hashLines] = encoded === undefined ? lines : lines.slice(1)
  const extra = encoded === undefined ? undefined : fromBase64(encoded)
  if (encoded !== undefined && extra === undefined)
    throw new InvalidNote('has an extra line that is no base64')
  const index = indexLine.startsWith('index ') ? parseCount(indexLine.slice('index '.length)) : undefined
  if (index === undefined) throw new InvalidNote('has no line with an index')
  if (hashLines.length > maxHashes) throw new InvalidNote(`has more than ${maxHashes} hashes`)
  const proof = hashLines.map((line) => {
    const hash = parseHash(line)
    if (hash === undefined) throw new InvalidNote('has a line among its hashes that is none')
    return hash
  })
  return { ...(extra !== undefined && { extra }), index, proof, checkpoint: text.slice(end + 2) }
}
