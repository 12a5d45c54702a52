import {
  type Note,
  noteText,
  type Policy,
  parseCheckpoint,
  parseNote,
  type Signature,
  withSignatures,
} from '@fonds/tlog'
import { backoffMillis } from '../../async/backoff.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { HOUR, MINUTE } from '../../domain/kernel/time.ts'
import type { ProofLog } from '../../ports/proof-log.ts'
import { type Witness, witnessesOf } from '../../workflows/system/witnesses.ts'
import type { System } from '../system.ts'
import { askWitness } from './ask-witness.ts'
import { tileBytes } from './open-tree.ts'

type CountersignSystem = Pick<System, 'clock' | 'log' | 'postCheckpoint' | 'timeStamper'>

/** Has heads signed by others: by witnesses, and by a time-stamping authority (Q18, Q4, Q28). */
export interface Countersigning {
  /** Has a head signed if it is due: an hour after the last that was, or at once where that failed and some time has passed. */
  ifDue(head: string, signal: AbortSignal): Promise<void>
  /** Sentences by witnesses that saw another history, or more of this one, until they say otherwise. */
  doubts(): readonly string[]
}

/** After a failure; after success an hour. */
const retries = { minMillis: MINUTE, maxMillis: HOUR }

export const createCountersigning = (
  system: CountersignSystem,
  files: Pick<ProofLog, 'folder' | 'tile' | 'publishWitnessed' | 'keepStamp'>,
  policy: Policy | undefined,
): Countersigning => {
  const { clock, log, postCheckpoint: post, timeStamper } = system
  const witnesses = witnessesOf(policy)
  const known = new Map<string, bigint>()
  const doubts = new Map<string, string>()
  let failures = 0
  let dueAt = clock.monotonic()

  /** Empty where it does not cosign: that was logged. */
  const ask = async (witness: Witness, note: Note, signal: AbortSignal): Promise<readonly Signature[]> => {
    const { name, verifiers } = witness
    try {
      const outcome = await askWitness(witness, {
        ...{ note, post, signal, known: known.get(name) },
        head: parseCheckpoint(note.text),
        readTile: (tile) => tileBytes(files, tile),
      })
      if (outcome.kind === 'cosigned') {
        known.set(name, outcome.size)
        doubts.delete(name)
        return outcome.note.signatures.filter(({ keyId }) => verifiers.some((key) => key.keyId === keyId))
      }
      if (outcome.kind !== 'refused') doubts.set(name, outcome.reason)
      log[outcome.kind === 'refused' ? 'warn' : 'error']({ part: 'sealer' }, outcome.reason)
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ part: 'sealer' }, error.message)
    }
    return []
  }

  const cosign = async (text: string, signal: AbortSignal): Promise<boolean> => {
    const note = parseNote(text)
    const answers = await Promise.all(witnesses.map((witness) => ask(witness, note, signal)))
    const signatures = answers.flat()
    if (signatures.length > 0) await files.publishWitnessed(noteText(withSignatures(note, signatures)))
    return answers.every(({ length }) => length > 0)
  }

  const stamp = async (text: string, signal: AbortSignal): Promise<boolean> => {
    if (!timeStamper) return true
    const { text: head } = parseNote(text)
    try {
      const { token, at, authority, isTrusted } = await timeStamper.stamp(Buffer.from(head), signal)
      await files.keepStamp(parseCheckpoint(head).size, token)
      if (!isTrusted)
        log.warn(
          { part: 'sealer', authority, at },
          'the time stamp leads to no certificate that is trusted here',
        )
      return true
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
      log.warn({ part: 'sealer' }, error.message)
      return false
    }
  }

  return {
    ifDue: async (head, signal) => {
      if ((witnesses.length === 0 && !timeStamper) || clock.monotonic() < dueAt) return
      const done = await Promise.all([cosign(head, signal), stamp(head, signal)])
      failures = done.every(Boolean) ? 0 : failures + 1
      dueAt = clock.monotonic() + (failures === 0 ? HOUR : backoffMillis(failures - 1, retries))
    },
    doubts: () => [...doubts.values()],
  }
}
