import {
  type Checkpoint,
  InvalidNote,
  isConsistent,
  isSameHash,
  parseCheckpoint,
  parseHash,
  parseNote,
} from '@fonds/tlog/web'
import { short } from './check-way.ts'
import { type Believed, signatureStep } from './signed-root.ts'
import type { Step } from './step.ts'

/** How a head that somebody kept stands to today's. */
export type Verdict =
  /** Both are signed, and today's tree goes on from the kept one: the only one that speaks for the log. */
  | 'same'
  /** Both are signed, of one size, and their roots differ. */
  | 'fork'
  /** Both are signed, and what was given as a proof does not lead from one to the other. */
  | 'not continued'
  /** Both are signed, and the kept one is of a larger tree. */
  | 'went back'
  /** Of a tree without leaves, from which every tree goes on. */
  | 'empty'
  | 'another log'
  | 'not signed'
  | 'not readable'

export interface CheckedKept {
  readonly verdict: Verdict
  readonly steps: readonly Step[]
  /** Leaves; undefined where one of the two cannot be read. */
  readonly sizes: { readonly kept: bigint; readonly now: bigint } | undefined
}

/** Today's head, and by which keys it is believed. */
export interface Now extends Believed {
  readonly checkpoint: string
}

/** Asks for the hashes of the proof that a tree goes on from an older one, in base64. */
type AskProof = (from: bigint, to: bigint) => Promise<readonly string[]>

/** A note as it was copied: blanks around it, and ends of lines of another system, are not its own. */
export const keptNote = (text: string): string => `${text.replaceAll('\r\n', '\n').trim()}\n`

/**
 * Compares a head that somebody kept with today's, and believes nothing but the keys. Asks for a proof where both are signed. Rejects
 * with what `ask` rejects with, `NotSupportedError` where the browser lacks what it takes.
 */
export const checkKept = async (text: string, now: Now, ask: AskProof): Promise<CheckedKept> => {
  const steps: Step[] = []
  let sizes: CheckedKept['sizes']
  const end = (verdict: Verdict): CheckedKept => ({ verdict, steps, sizes })
  let reading = 'what you kept'
  try {
    const keptIn = parseNote(keptNote(text))
    const kept = parseCheckpoint(keptIn.text)
    reading = 'today’s head'
    const nowIn = parseNote(now.checkpoint)
    const today = parseCheckpoint(nowIn.text)
    reading = 'a key or the policy'
    sizes = { kept: kept.size, now: today.size }
    steps.push(isOneLog(kept, today))
    if (kept.origin !== today.origin) return end('another log')
    steps.push(await signatureStep('What you kept is signed by this archive', keptIn, kept, now))
    steps.push(await signatureStep('Today’s head is signed by this archive', nowIn, today, now))
    if (!steps.every(({ isPassed }) => isPassed)) return end('not signed')
    if (kept.size === 0n) return end('empty')
    const { step, verdict } = await goesOn(kept, today, ask)
    steps.push(step)
    return end(verdict)
  } catch (error) {
    if (!(error instanceof InvalidNote)) throw error
    steps.push({
      name: `Can be read: ${reading}`,
      isPassed: false,
      computed: `it ${error.message}`,
      kept: 'c2sp.org/tlog-checkpoint',
      from: reading,
    })
    return end('not readable')
  }
}

const isOneLog = (kept: Checkpoint, now: Checkpoint): Step => ({
  name: 'Both are of one log',
  isPassed: kept.origin === now.origin,
  computed: now.origin,
  kept: kept.origin,
  from: 'what you kept',
})

const goesOn = async (
  kept: Checkpoint,
  now: Checkpoint,
  ask: AskProof,
): Promise<{ readonly step: Step; readonly verdict: Verdict }> => {
  const from = 'what you kept'
  if (kept.size > now.size)
    return {
      verdict: 'went back',
      step: {
        name: 'Today’s tree is as large, or larger',
        isPassed: false,
        computed: `${now.size} leaves`,
        kept: `${kept.size} leaves`,
        from,
      },
    }
  if (kept.size === now.size) {
    const isPassed = isSameHash(kept.root, now.root)
    const roots = { computed: short(now.root), kept: short(kept.root) }
    return {
      verdict: isPassed ? 'same' : 'fork',
      step: { name: `Both have one root of ${now.size} leaves`, isPassed, ...roots, from },
    }
  }
  const hashes = (await ask(kept.size, now.size)).map(parseHash)
  const proof = hashes.filter((hash) => hash !== undefined)
  const claim = { oldSize: kept.size, oldRoot: kept.root, size: now.size, root: now.root, proof }
  const isPassed = proof.length === hashes.length && (await isConsistent(claim))
  return {
    verdict: isPassed ? 'same' : 'not continued',
    step: {
      name: 'Nothing before it was removed, changed or reordered',
      isPassed,
      computed: `a proof of ${hashes.length === 1 ? 'one hash' : `${hashes.length} hashes`} ${isPassed ? 'leads' : 'does not lead'} from ${kept.size} leaves to ${now.size}`,
      kept: `${short(kept.root)} and ${short(now.root)}`,
      from: 'both heads',
    },
  }
}
