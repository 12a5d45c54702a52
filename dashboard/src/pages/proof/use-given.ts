import { useEffect, useState } from 'preact/hooks'
import { get, type Problem, Refused } from '../../api/client.ts'
import { whyNotHere } from './can-check.ts'
import { type CheckedFile, checkFile, isProofFile } from './check-file.ts'
import { type CheckedKept, checkKept, keptNote } from './check-kept.ts'

/** A text that a person has, to be checked. */
export interface Given {
  readonly text: string
  /** Name of its file; undefined for a text that was pasted. */
  readonly name: string | undefined
}

export type Outcome =
  | { readonly kind: 'asking' }
  /** Nothing was compared: why. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'unchecked'; readonly why: string }
  | { readonly kind: 'file'; readonly checked: CheckedFile }
  /** With both heads, as they are signed. */
  | { readonly kind: 'kept'; readonly checked: CheckedKept; readonly kept: string; readonly now: string }

/** Checks a proof by the keys that are believed, or a kept checkpoint against the head that the server has now. */
const checkGiven = async (
  { text }: Given,
  trusted: string | undefined,
  signal: AbortSignal,
): Promise<Outcome> => {
  try {
    const why = await whyNotHere()
    if (why !== undefined) return { kind: 'unchecked', why }
    const { head, wrong } = (await get('/api/v1/proof/tree', {}, signal)).data
    const { keys, policy } = head ?? { keys: [], policy: 'quorum none\n' }
    if (isProofFile(text)) return { kind: 'file', checked: await checkFile(text, { keys, policy, trusted }) }
    if (head === null)
      return {
        kind: 'unchecked',
        why: `This server shows no signed head: ${wrong?.reason ?? 'it has none'}.`,
      }
    const { checkpoint } = head
    const ask = async (from: bigint, to: bigint) => {
      const query = { from: `${from}`, to: `${to}` }
      return (await get('/api/v1/proof/consistency', { query }, signal)).data.proof
    }
    const checked = await checkKept(text, { checkpoint, keys, policy, trusted }, ask)
    return { kind: 'kept', checked, kept: keptNote(text), now: checkpoint }
  } catch (error) {
    if (error instanceof Refused && !signal.aborted) return { kind: 'refused', problem: error.problem }
    throw error
  }
}

/** Checks what is given, and again when another key is believed. Undefined where nothing is given. */
export const useGiven = (given: Given | undefined, trusted: string | undefined): Outcome | undefined => {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    setOutcome(given && { kind: 'asking' })
    if (!given) return
    const leaving = new AbortController()
    checkGiven(given, trusted, leaving.signal).then(
      (found) => {
        if (!leaving.signal.aborted) setOutcome(found)
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) throw error
      },
    )
    return () => leaving.abort()
  }, [given, trusted])
  return outcome
}
