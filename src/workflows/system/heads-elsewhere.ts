import { hash } from 'node:crypto'
import {
  type Checkpoint,
  InvalidNote,
  openNote,
  type Policy,
  parseCheckpoint,
  parseNote,
  UntrustedNote,
  type Verifier,
} from '@fonds/tlog'
import { parseVerifierKey } from '@fonds/tlog/compute'
import { UnavailableError } from '../../async/unavailable.ts'
import type { RetiredKey } from '../../ports/proof-log.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { witnessesOf } from './witnesses.ts'

/*
 * A witness keeps the newest head of each tree that it cosigned, and gives it to whoever asks. The archive's own key signed it:
 * so it shows a home that was put back from before what it has forgotten.
 */

export interface HeadElsewhere {
  /** As the policy names it. */
  readonly witness: string
  readonly head: Checkpoint
}

type AskingContext = Pick<WorkflowContext, 'proofPolicy' | 'proofFilesAt' | 'log'>

interface WantedTree {
  readonly origin: string
  /** Keys of the archive's own, beside those that the policy names for this tree. */
  readonly keys: readonly Verifier[]
  /** Those that were replaced: believed of heads before that alone, for they may have been stolen. */
  readonly retired?: readonly RetiredKey[]
  readonly signal: AbortSignal
}

/**
 * Heads of a tree that the policy's witnesses hold, each signed by a key of the tree. A witness that does not answer, or has none,
 * says nothing.
 */
export const headsElsewhere = async (
  { proofPolicy, proofFilesAt, log }: AskingContext,
  { origin, keys, retired = [], signal }: WantedTree,
): Promise<readonly HeadElsewhere[]> => {
  const policy = await proofPolicy()
  if (!policy) return []
  const trusted = [...keys, ...keysOf(policy, origin)]
  const path = `${hash('sha256', origin)}/checkpoint`
  const found = await Promise.all(
    witnessesOf(policy).map(async ({ url, name: witness }): Promise<readonly HeadElsewhere[]> => {
      try {
        const bytes = await proofFilesAt(url)(path, signal)
        if (bytes === undefined) return []
        const text = Buffer.from(bytes).toString()
        const { size } = parseCheckpoint(parseNote(text).text)
        const before = retired.filter(({ until }) => size <= until).map(({ key }) => parseVerifierKey(key))
        const head = parseCheckpoint(openNote(text, [...trusted, ...before]).text)
        return head.origin === origin ? [{ witness, head }] : []
      } catch (error) {
        const isNoHead = error instanceof InvalidNote || error instanceof UntrustedNote
        if (!isNoHead && !(error instanceof UnavailableError)) throw error
        // By another key: someone else's, or one that this home has forgotten, because it was put back from before.
        const level = error instanceof UntrustedNote ? 'warn' : 'debug'
        log[level](
          { err: error, part: 'sealer' },
          `no head of ${origin} is known from the witness ${witness}`,
        )
        return []
      }
    }),
  )
  return found.flat()
}

const keysOf = ({ logs }: Policy, origin: string): readonly Verifier[] =>
  logs.map(({ key }) => parseVerifierKey(key)).filter(({ name }) => name === origin)
