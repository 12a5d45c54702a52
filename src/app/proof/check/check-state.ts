import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Time } from '../../../domain/kernel/codecs.ts'
import { PositionText } from '../../../domain/kernel/event-place.ts'
import type { ProofLog } from '../../../ports/proof-log.ts'

/** How far the log was compared with its tree, and what was found. */
const CheckState = t.type({
  /** Names the tree. */
  origin: t.string,
  /** Leaf that the next part begins with, as decimal text. */
  next: PositionText,
  /** When the last part was compared. */
  at: Time,
  /** When the whole log had been compared, part by part or at once; null: not yet. */
  wholeAt: t.union([Time, t.null]),
  /** Sentences of differences that were found last; empty if there were none. */
  differences: t.array(t.string),
})
export type CheckState = t.TypeOf<typeof CheckState>

/** The state that a home has kept; undefined if there is none, or none of this tree. */
export const checkStateOf = async (
  files: Pick<ProofLog, 'checkState'>,
  origin: string,
): Promise<CheckState | undefined> => {
  try {
    const state = CheckState.decode(JSON.parse((await files.checkState()) ?? 'null'))
    return isRight(state) && state.right.origin === origin ? state.right : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Most differences that are kept: `fonds proof check` names all. */
export const mostKept = 20

/** Keeps what a comparison of the whole log found: doctor, notices and metrics tell it. */
export const keepWhole = (
  files: Pick<ProofLog, 'keepCheckState'>,
  { origin, at, differences }: Pick<CheckState, 'origin' | 'at' | 'differences'>,
): Promise<void> => {
  const state: CheckState = {
    ...{ origin, at, next: '0', wholeAt: at },
    differences: differences.slice(0, mostKept),
  }
  return files.keepCheckState(JSON.stringify(state))
}
