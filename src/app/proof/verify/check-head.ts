import {
  type Checkpoint,
  isQuorum,
  type Note,
  type Policy,
  parseCheckpoint,
  parseNote,
  UntrustedNote,
  type Verified,
  type Verifier,
  verifiedSignatures,
} from '@fonds/tlog'
import { cosignedAt, parseVerifierKey, verifierKey } from '@fonds/tlog/compute'
import { SECOND } from '../../../domain/kernel/time.ts'
import type { Findings } from './findings.ts'

/**
 * Returns the head that a checkpoint states, if a log of the policy signed it; else undefined. Whether the policy's witnesses
 * are enough is among the findings. Throws `InvalidNote` for a checkpoint that is none, or a key that is none.
 */
export const checkHead = (text: string, policy: Policy, findings: Findings): Checkpoint | undefined => {
  const note = parseNote(text)
  const head = parseCheckpoint(note.text)
  // A key that was replaced is believed of heads before that alone.
  const retired = (policy.retired ?? []).filter(({ until }) => head.size <= until)
  const keys = [...policy.logs, ...retired]
    .map(({ key }) => parseVerifierKey(key))
    .filter(({ name }) => name === head.origin)
  const signed = keys.filter((key) => signatureBy(key, `the log ${key.name}`, note, findings))
  if (signed.length === 0) {
    findings.fails(
      `no key that the policy names for ${head.origin} signed the checkpoint: nothing else is looked at`,
    )
    return undefined
  }
  findings.holds(
    `the log ${head.origin} signed ${head.size} leaves, by ${signed.map(({ type }) => type).join(' and ')}`,
  )
  if (signed.every((key) => retired.some((one) => one.key === verifierKey(key))))
    findings.unchecked(
      'that nobody else had the key when it signed: another one took its place since, and the policy believes it of heads before',
    )
  checkWitnesses(note, policy, findings)
  return head
}

const checkWitnesses = (note: Note, policy: Policy, findings: Findings): void => {
  const cosigned = new Set<string>()
  for (const [name, { key }] of policy.witnesses) {
    const found = signatureBy(parseVerifierKey(key), `the witness ${name}`, note, findings)
    if (!found) continue
    cosigned.add(name)
    findings.holds(`the witness ${name} saw it${timeOf(found)}`)
  }
  if (policy.quorum === undefined)
    findings.unchecked('that everybody sees the same history: the policy wants no witness')
  else if (isQuorum(policy, cosigned))
    findings.holds(`these witnesses are enough for the policy (${policy.quorum})`)
  else findings.fails(`these witnesses are not enough for the policy (${policy.quorum})`)
}

/** A wrong one is a failure, also where another key's is good. */
const signatureBy = (key: Verifier, who: string, note: Note, findings: Findings): Verified | undefined => {
  try {
    return verifiedSignatures(note, [key])[0]
  } catch (error) {
    if (!(error instanceof UntrustedNote)) throw error
    findings.fails(`the signature of ${who} is not by its key`)
    return undefined
  }
}

/** A time of 0 says nothing (Q98). */
const timeOf = ({ verifier, signature }: Verified): string => {
  const seconds = cosignedAt(verifier.type, signature.bytes) ?? 0n
  const millis = Number(seconds) * SECOND
  return seconds === 0n || millis > 8.64e15 ? '' : ` at ${new Date(millis).toISOString()} by its own clock`
}
