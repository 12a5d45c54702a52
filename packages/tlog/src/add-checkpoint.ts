import { fromBase64, toBase64 } from './base64.ts'
import { parseCount } from './checkpoint.ts'
import { InvalidNote } from './errors.ts'
import { hashBytes } from './hash.ts'
import { type Note, noteText, parseNote } from './note.ts'

/* The request of a log to a witness: to cosign a checkpoint that its tree grew to, as c2sp.org/tlog-witness has it. */

export interface AddCheckpoint {
  /** Leaves of the tree that the witness cosigned last; 0: none. */
  readonly oldSize: bigint
  /** Consistency of the two trees. */
  readonly proof: readonly Uint8Array[]
  readonly note: Note
}

const maxHashes = 63

export const addCheckpointText = ({ oldSize, proof, note }: AddCheckpoint): string =>
  [`old ${oldSize}`, ...proof.map(toBase64), '', noteText(note)].join('\n')

/** Reads a request; nothing of it may be believed yet. Throws `InvalidNote`. */
export const parseAddCheckpoint = (body: Uint8Array): AddCheckpoint => {
  const end = Buffer.from(body.buffer, body.byteOffset, body.length).indexOf('\n\n')
  if (end < 0) throw new InvalidNote('has no empty line before its checkpoint')
  const [first = '', ...lines] = Buffer.from(body.subarray(0, end)).toString('latin1').split('\n')
  const oldSize = first.startsWith('old ') ? parseCount(first.slice('old '.length)) : undefined
  if (oldSize === undefined) throw new InvalidNote('does not begin with the line old <size>')
  if (lines.length > maxHashes) throw new InvalidNote(`has more than ${maxHashes} hashes`)
  const proof = lines.map((line) => {
    const hash = fromBase64(line)
    if (hash?.length !== hashBytes) throw new InvalidNote('has a line among its hashes that is none')
    return hash
  })
  return { oldSize, proof, note: parseNote(body.subarray(end + 2)) }
}
