import { InvalidNote, leafHash, parseCheckpoint, parseNote, parseProofFile } from '@fonds/tlog/web'
import { checkWay, short, type Way } from './check-way.ts'
import { type Cosigned, checkWitnesses, witnessStep } from './check-witnesses.ts'
import { differingLines, entryOf } from './entry-of.ts'
import type { ProofAnswer } from './proof-answer.ts'
import { signatureStep } from './signed-root.ts'
import type { Step } from './step.ts'

/** How the event was named by whoever asks; what is not named is not compared. */
export interface Asked {
  readonly position?: string | undefined
  readonly id?: string | undefined
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
    const head = parseCheckpoint(note.text)
    steps.push(await bytesGiveEntry(answer, extra))
    const climbed = await checkWay(extra, { index, proof }, head)
    way = climbed.way
    steps.push(climbed.step)
    steps.push(await signatureStep('The root is signed by this archive', note, head, { ...answer, trusted }))
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
