import { hash } from 'node:crypto'
import { type Checkpoint, parseHash } from '@fonds/tlog'
import { isIncluded, leafHash } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { StreamsSealed, sealedStreamsStream } from '../../../domain/kernel/proof/statements.ts'
import { streamForm } from '../../../domain/kernel/proof/stream-row.ts'
import { type StatedParts, UnreadableExport } from './export-files.ts'
import type { Findings } from './findings.ts'
import { jsonIn } from './verify-view.ts'

/* The leaf in which the archive stated the newest leaf of each stream among the first of the tree. */

interface Stated {
  /** Its own leaf. */
  readonly index: number
  /** How many leaves it counts. */
  readonly size: bigint
  /** The newest leaf of each stream that has a row. */
  readonly leaves: ReadonlyMap<string, bigint>
}

type Part = Pick<StatedParts, 'index' | 'entry' | 'proof'>

const isLeafOf = ({ index, entry, proof }: Part, size: bigint, root: Uint8Array): boolean => {
  const hashes = proof.flatMap((text) => parseHash(text) ?? [])
  const leaf = leafHash(Buffer.from(entry))
  return (
    hashes.length === proof.length && isIncluded({ leaf, index: BigInt(index), size, root, proof: hashes })
  )
}

/** Why it does not hold is among the findings. `from`: the entries from that leaf on are shown. */
export const checkStated = (
  stated: StatedParts,
  head: Checkpoint,
  from: bigint,
  findings: Findings,
): Stated | undefined => {
  const { index, data, rows } = stated
  const entry = parseEventEntry(Buffer.from(stated.entry))
  const isStatement =
    !isLeft(entry) && entry.right.type === 'StreamsSealed' && entry.right.stream === sealedStreamsStream
  if (!isStatement || !isLeafOf(stated, head.size, head.root)) {
    findings.fails(`the statement on streams is not leaf ${index} of the tree`)
    return undefined
  }
  if (hash('sha256', data, 'base64') !== entry.right.data) {
    findings.fails(`the statement on streams in leaf ${index} was changed`)
    return undefined
  }
  const decoded = StreamsSealed.decode(jsonIn(data))
  const root = isLeft(decoded) ? undefined : parseHash(decoded.right.root)
  if (isLeft(decoded) || !root) throw new UnreadableExport(`leaf ${index} is no statement on streams`)
  const { origin, streams } = decoded.right
  const size = BigInt(decoded.right.size)
  if (origin !== head.origin || size > BigInt(index) || from > size) {
    findings.fails(
      `leaf ${index} states ${size} leaves of ${origin}: not those before leaf ${from} of this tree, and before itself`,
    )
    return undefined
  }
  const leaves = new Map<string, bigint>()
  for (const row of rows) {
    const [stream, leaf] = rowIn(row.entry)
    if (isLeafOf(row, BigInt(streams), root)) leaves.set(stream, leaf)
    else
      findings.fails(
        `the row of ${stream} is not row ${row.index} of the ${streams} that leaf ${index} states`,
      )
  }
  findings.holds(
    `leaf ${index}, recorded at ${entry.right.recordedAt} by the archive's own clock, states the newest leaves of ${streams} streams among the first ${size}${[...leaves].map(([stream, leaf]) => `; of ${stream} it is leaf ${leaf}`).join('')}`,
  )
  findings.unchecked(
    `that leaf ${index} states it rightly: it is the archive's own word, and whoever has all entries computes it again`,
  )
  return { index, size, leaves }
}

const rowIn = (entry: string): readonly [stream: string, leaf: bigint] => {
  const [form, line = '', leaf = '', end, ...more] = entry.split('\n')
  const name: unknown = /^(sha256|commitment):/.test(line) ? line : jsonIn(line)
  const isRow = form === streamForm && /^(0|[1-9]\d{0,18})$/.test(leaf) && end === '' && more.length === 0
  if (isRow && typeof name === 'string') return [name, BigInt(leaf)]
  throw new UnreadableExport('export.json has a row of a stream that is none')
}
