import { useEffect, useState } from 'preact/hooks'
import { get, type Problem, Refused } from '../../api/client.ts'
import { pause } from '../../api/pause.ts'
import { whyNotHere } from './can-check.ts'
import { type Asked, type Checked, checkProof } from './check-proof.ts'
import type { ProofAnswer } from './proof-answer.ts'

/** A proof that was asked for, and what came of checking it here. */
export type Outcome =
  | { readonly kind: 'asking' }
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** There is a proof, and this browser checks none. */
  | { readonly kind: 'unchecked'; readonly answer: ProofAnswer; readonly why: string }
  | {
      readonly kind: 'checked'
      readonly answer: ProofAnswer
      readonly checked: Checked
      readonly millis: number
    }

/** Asks for the proof of an event, and checks it. `trusted`: a key in place of those that the server gives. */
export const proven = async (
  asked: Asked,
  trusted: string | undefined,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { position, id } = asked
  try {
    const query = position === undefined ? { id: id ?? '' } : { position }
    const { data: answer } = await get('/api/v1/proof/event', { query }, signal)
    const why = await whyNotHere()
    if (why !== undefined) return { kind: 'unchecked', answer, why }
    const began = performance.now()
    const checked = await checkProof(answer, asked, trusted)
    return { kind: 'checked', answer, checked, millis: performance.now() - began }
  } catch (error) {
    if (error instanceof Refused && !signal.aborted) return { kind: 'refused', problem: error.problem }
    throw error
  }
}

/** A head is signed at most each ten seconds. */
const patienceMillis = 3000
/** Problems that pass by themselves. */
const isPassing = ({ code, status }: Problem): boolean => code === 'not-sealed' || status === 503

/** The same for a page: once, again when it is asked to, and again by itself while the event is not sealed. */
export const useCheck = (
  { position, id }: Asked,
  trusted: string | undefined,
): { readonly outcome: Outcome; readonly again: () => void } => {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'asking' })
  const [round, setRound] = useState(0)
  const again = () => setRound((n) => n + 1)
  useEffect(() => setOutcome({ kind: 'asking' }), [position, id, trusted])
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const run = async () => {
      const found = await proven({ position, id }, trusted, signal)
      if (signal.aborted) return
      setOutcome(found)
      if (found.kind !== 'refused' || !isPassing(found.problem)) return
      await pause(patienceMillis, signal)
      if (!signal.aborted) again()
    }
    run().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    return () => leaving.abort()
  }, [position, id, trusted, round])
  return { outcome, again }
}
