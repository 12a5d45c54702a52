import { hash } from 'node:crypto'
import { parsePolicy, parseProofFile } from '@fonds/tlog'
import { isIncluded, leafHash } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { leafName, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { checkHead } from './check-head.ts'
import { UnreadableExport } from './export-files.ts'
import type { Findings } from './findings.ts'

interface ToCheck<A> {
  /** Data and `.tlog-proof` of the event that states it. */
  readonly statement: { readonly data: string; readonly proof: string }
  readonly type: string
  readonly codec: t.Type<A, unknown>
  /** The stream in which the archive states it: other programs may write events of any type into streams of their own. */
  readonly streamOf: (data: A) => string
  readonly policyText: string
}

/**
 * Returns the data of an event that states something, if the signed tree has it with these data; else undefined, and why is among the
 * findings. Throws `InvalidNote`, `UnreadableExport` for what is not of its form.
 */
export const checkStatement = <A>(
  { statement, type, codec, streamOf, policyText }: ToCheck<A>,
  findings: Findings,
): A | undefined => {
  const { extra, index, proof, checkpoint } = parseProofFile(statement.proof)
  const head = checkHead(checkpoint, parsePolicy(policyText), findings)
  if (!head) return undefined
  const { size, root } = head
  if (extra === undefined || !isIncluded({ leaf: leafHash(extra), index, size, proof, root })) {
    findings.fails(`the entry of the statement is not leaf ${index} of the ${size} that were signed`)
    return undefined
  }
  const entry = parseEventEntry(extra)
  if (isLeft(entry) || entry.right.type !== type) {
    findings.fails(`leaf ${index} is no event ${type}`)
    return undefined
  }
  const leaf = entry.right
  const found = hash('sha256', statement.data, 'base64')
  if (found !== leaf.data) {
    findings.fails(`the statement was changed: SHA-256 ${found}, the entry has ${leaf.data}`)
    return undefined
  }
  const data = codec.decode(JSON.parse(statement.data))
  if (isLeft(data)) throw new UnreadableExport(`the data of leaf ${index} are not those of ${type}`)
  if (leaf.stream !== streamOf(data.right)) {
    findings.fails(
      `leaf ${index} is in ${leafName(leaf.stream)}, where the archive states nothing of the kind`,
    )
    return undefined
  }
  findings.holds(
    `leaf ${index} of ${size} is ${type}, revision ${leaf.revision} of ${leafName(leaf.stream)}, recorded at ${leaf.recordedAt} by the archive's own clock`,
  )
  return data.right
}
