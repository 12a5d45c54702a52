import {
  climb,
  InvalidNote,
  inclusionPath,
  isSameHash,
  isSignedBy,
  leafHash,
  type PathStep,
  parseCheckpoint,
  parseNote,
  parseProofFile,
  parseVerifierKey,
  toBase64,
} from '@fonds/tlog/web'
import { type Cosigned, checkWitnesses } from './check-witnesses.ts'
import { differingLines, entryOf } from './entry-of.ts'
import type { ProofAnswer } from './proof-answer.ts'

/** How the event was named by whoever asks; what is not named is not compared. */
export interface Asked {
  readonly position?: string | undefined
  readonly id?: string | undefined
}

/** A check: what was computed here, beside what it was compared with. */
export interface Step {
  readonly name: string
  readonly isPassed: boolean
  readonly computed: string
  readonly kept: string
  /** Where what was kept comes from. */
  readonly from: string
}

export interface Way {
  /** From the leaf up: the last is the root. */
  readonly hashes: readonly Uint8Array[]
  readonly beside: readonly PathStep[]
  readonly index: bigint
  readonly size: bigint
}

export interface Checked {
  readonly steps: readonly Step[]
  /** Every check was made, and passed. That witnesses saw the head is one where one did. */
  readonly isVerified: boolean
  /** Undefined for a proof that is none. */
  readonly way: Way | undefined
  /** Undefined where it was not come to. */
  readonly cosigned: Cosigned | undefined
}

/** Checks that nothing may be left out of. */
const allChecks = 4

/**
 * Checks the proof of an event, believing nothing of the answer but its keys, or the `trusted` key in their place. Rejects with
 * `NotSupportedError` where the browser lacks what it takes.
 */
export const checkProof = async (answer: ProofAnswer, asked: Asked, trusted?: string): Promise<Checked> => {
  const steps: Step[] = [isAskedFor(answer, asked)]
  let way: Way | undefined
  let cosigned: Cosigned | undefined
  try {
    const { extra = new Uint8Array(), index, proof, checkpoint } = parseProofFile(answer.proof)
    const note = parseNote(checkpoint)
    const { origin, size, root } = parseCheckpoint(note.text)
    steps.push(await bytesGiveEntry(answer, extra))
    const beside = inclusionPath({ index, size, proof }) ?? []
    const isWay = beside.length === proof.length && index < size
    const hashes = await climb(await leafHash(extra), beside)
    const computed = hashes.at(-1)!
    steps.push({
      name: `The leaf and ${proof.length} hashes give the root`,
      isPassed: isWay && isSameHash(computed, root),
      computed: isWay ? short(computed) : `no leaf ${index} has a proof of ${proof.length} hashes`,
      kept: short(root),
      from: `the head of ${size} leaves`,
    })
    if (isWay) way = { hashes, beside, index, size }
    const key = await keyFor(origin, trusted === undefined ? answer.keys : [trusted])
    const isSigned = key && (await isSignedBy(key, note))
    steps.push({
      name: 'The root is signed by this archive',
      isPassed: isSigned === true,
      computed:
        isSigned === undefined ? 'no signature by this key' : `Ed25519, ${isSigned ? 'good' : 'wrong'}`,
      kept: key ? `${key.name}+${key.keyId}` : `no Ed25519 key of ${origin}`,
      from: trusted === undefined ? 'a key that this server gave' : 'the key that you gave',
    })
    cosigned = await checkWitnesses(answer.policy, note)
    if (cosigned.seen.length + cosigned.wrong.length > 0) steps.push(witnessStep(cosigned))
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error
    const computed = `it ${error.message}`
    steps.push({
      name: 'The proof can be read',
      isPassed: false,
      computed,
      kept: 'c2sp.org/tlog-proof',
      from: 'the proof',
    })
  }
  return {
    steps,
    isVerified: steps.length >= allChecks && steps.every(({ isPassed }) => isPassed),
    way,
    cosigned,
  }
}

const witnessStep = ({ seen, wrong, asked, isEnough }: Cosigned): Step => ({
  name: `${seen.length} of ${asked} witnesses saw the same root`,
  isPassed: wrong.length === 0,
  computed: wrong.length > 0 ? `a wrong signature of ${wrong.join(', ')}` : seen.join(', '),
  kept: isEnough ? 'enough for the policy' : 'the policy wants more',
  from: 'a policy that this server gave',
})

const isAskedFor = ({ event }: ProofAnswer, { position, id }: Asked): Step => ({
  name: 'It is the event that was asked for',
  isPassed:
    event !== null &&
    (position !== undefined || id !== undefined) &&
    (position === undefined || event.position === position) &&
    (id === undefined || event.id === id),
  computed: event === null ? 'no event' : placeOf(event.position, id && event.id),
  kept: placeOf(position, id),
  from: 'this page',
})

const placeOf = (position: string | undefined, id: string | undefined): string =>
  [id, position && `position ${position}`].filter(Boolean).join(', ')

const bytesGiveEntry = async ({ event }: ProofAnswer, extra: Uint8Array): Promise<Step> => {
  const name = 'The event’s bytes give its leaf'
  const kept = short(await leafHash(extra))
  if (event === null)
    return { name, isPassed: false, computed: 'the log does not hold them any more', kept, from: 'the proof' }
  const entry = await entryOf(event, extra)
  const differing = differingLines(entry, extra)
  return {
    name,
    isPassed: differing.length === 0,
    computed: differing.length === 0 ? short(await leafHash(entry)) : `another ${differing.join(', ')}`,
    kept,
    from: 'the proof',
  }
}

const keyFor = async (origin: string, texts: readonly string[]) => {
  const keys = await Promise.all(texts.map(parseVerifierKey))
  return keys.find(({ name, type }) => name === origin && type === 'ed25519')
}

/** The beginning of a hash, in base64, as the checkpoint writes it. */
export const short = (hash: Uint8Array): string => `${toBase64(hash).slice(0, 10)}…`
