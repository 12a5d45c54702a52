import { hash } from 'node:crypto'
import { fromBase64 } from '@fonds/tlog'
import { isLeft } from 'fp-ts/lib/Either.js'
import { type EventLeaf, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { placeOf } from '../check/differences.ts'
import { type ExportedLine, UnreadableExport } from './export-files.ts'
import type { Findings } from './findings.ts'
import type { Removed } from './removed.ts'

/** Holds data and metadata of a line against its entry. Returns its leaf; undefined for an entry that is no event. */
export const checkEvent = (
  line: ExportedLine,
  findings: Findings,
  removed: Removed,
): EventLeaf | undefined => {
  const parsed = parseEventEntry(Buffer.from(line.entry))
  if (isLeft(parsed)) {
    if (line.entry.startsWith('fonds.event/v1\n'))
      throw new UnreadableExport(`leaf ${line.index}: ${parsed.left}`)
    return undefined
  }
  const leaf = parsed.right
  const name = `leaf ${line.index}, ${placeOf(leaf)}`
  if (line.data === undefined && line.metadata === undefined) {
    removed.addAbsent(leaf, line.index)
    return leaf
  }
  let isSame = true
  for (const part of ['data', 'metadata'] as const) {
    const stored = line[part]
    if (stored === undefined) {
      findings.unchecked(`${name}: its ${part} are not in the export`)
      continue
    }
    const found = hash(
      'sha256',
      typeof stored === 'string' ? stored : bytesIn(stored.base64, line.index),
      'base64',
    )
    if (found === leaf[part]) continue
    isSame = false
    findings.fails(`${name}: its ${part} were changed: SHA-256 ${found}, the entry has ${leaf[part]}`)
  }
  if (isSame) removed.add(leaf, line.index, line.data)
  return leaf
}

const bytesIn = (text: string, index: number): Uint8Array => {
  const bytes = fromBase64(text)
  if (bytes) return bytes
  throw new UnreadableExport(`leaf ${index}: has base64 that is not in its one form`)
}
