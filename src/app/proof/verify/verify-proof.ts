import { parsePolicy, parseProofFile } from '@fonds/tlog'
import { isIncluded, leafHash } from '@fonds/tlog/compute'
import { isLeft } from 'fp-ts/lib/Either.js'
import { leafName, parseEventEntry } from '../../../domain/kernel/proof/event-leaf.ts'
import { placeOf } from '../check/differences.ts'
import { checkHead } from './check-head.ts'
import { createFindings, type Findings } from './findings.ts'

/**
 * Checks a `.tlog-proof` of an event offline, by the keys of a policy. Throws `InvalidNote` for what is not of its form: nothing is
 * proven then.
 */
export const verifyProof = (text: string, policyText: string): Findings => {
  const findings = createFindings()
  const { extra, index, proof, checkpoint } = parseProofFile(text)
  const head = checkHead(checkpoint, parsePolicy(policyText), findings)
  if (!head) return findings
  if (extra === undefined) {
    findings.fails('the proof names no entry: it does not say of what it is')
    return findings
  }
  const { size, root } = head
  if (!isIncluded({ leaf: leafHash(extra), index, size, proof, root })) {
    findings.fails(`the entry is not leaf ${index} of the ${size} that were signed`)
    return findings
  }
  const entry = parseEventEntry(extra)
  if (isLeft(entry)) {
    findings.holds(`leaf ${index} of ${size}`)
    findings.unchecked(`what leaf ${index} says: ${entry.left}`)
    return findings
  }
  const { type, id, recordedAt, data, metadata } = entry.right
  findings.holds(
    `leaf ${index} of ${size} is event ${leafName(id)}, ${leafName(type)}: ${placeOf(entry.right)}, recorded at ${recordedAt} by the archive's own clock`,
  )
  findings.unchecked(
    `its data (SHA-256 ${data}) and metadata (SHA-256 ${metadata}): the proof has their digests alone`,
  )
  return findings
}
