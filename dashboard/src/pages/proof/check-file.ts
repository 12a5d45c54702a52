import { InvalidNote, parseCheckpoint, parseNote, parseProofFile } from '@fonds/tlog/web'
import { checkWay, type Way } from './check-way.ts'
import { type Cosigned, checkWitnesses, witnessStep } from './check-witnesses.ts'
import { type Believed, signatureStep } from './signed-root.ts'
import type { Step } from './step.ts'

/** A file that somebody has, checked against a key: the event itself is not at hand. */
export interface CheckedFile {
  readonly steps: readonly Step[]
  /** The entry is a leaf of a signed tree. */
  readonly isVerified: boolean
  readonly way: Way | undefined
  readonly cosigned: Cosigned | undefined
  /** Undefined where the file brings none. */
  readonly entry: Uint8Array | undefined
}

/** Whether a text is, or was meant for, a proof (c2sp.org/tlog-proof). */
export const isProofFile = (text: string): boolean => text.trimStart().startsWith('c2sp.org/tlog-proof')

/** Checks that the entry of a proof is a leaf of a tree whose head is signed. Rejects with `NotSupportedError`. */
export const checkFile = async (text: string, believed: Believed): Promise<CheckedFile> => {
  const steps: Step[] = []
  let entry: Uint8Array | undefined
  let way: Way | undefined
  let cosigned: Cosigned | undefined
  try {
    const file = parseProofFile(text)
    const note = parseNote(file.checkpoint)
    const head = parseCheckpoint(note.text)
    entry = file.extra
    if (entry === undefined)
      steps.push({
        name: 'The file brings the entry of its leaf',
        isPassed: false,
        computed: 'it has no extra line',
        kept: 'an entry, which gives the leaf',
        from: 'c2sp.org/tlog-proof',
      })
    else {
      const climbed = await checkWay(entry, file, head)
      way = climbed.way
      steps.push(climbed.step)
    }
    steps.push(await signatureStep('The root is signed by this archive', note, head, believed))
    cosigned = await checkWitnesses(believed.policy, note)
    if (cosigned.seen.length + cosigned.wrong.length > 0) steps.push(witnessStep(cosigned))
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error
    steps.push({
      name: 'The proof can be read',
      isPassed: false,
      computed: `it ${error.message}`,
      kept: 'c2sp.org/tlog-proof',
      from: 'the file',
    })
  }
  // Way and signature at least.
  const isVerified = steps.length >= 2 && steps.every(({ isPassed }) => isPassed)
  return { steps, isVerified, way, cosigned, entry }
}
