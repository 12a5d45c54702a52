import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { NonNegativeInteger, Text, Time } from '../../domain/kernel/codecs.ts'
import type { ProofLog } from '../../ports/proof-log.ts'

/** Rebuilt views that wait beside the live ones, because the log that they were folded from is not the sealed one. */
const HeldViews = t.type({
  projection: Text,
  version: NonNegativeInteger,
  /** Id of their generation in the view store. */
  generation: NonNegativeInteger,
  /** Origin of the tree that the log was compared with. */
  origin: Text,
  /** SHA-256 of the differences, and of what the log has in their places. */
  digest: Text,
  count: NonNegativeInteger,
  /** The first differences, a sentence each. */
  first: t.array(t.string),
  at: Time,
})
export type HeldViews = t.TypeOf<typeof HeldViews>

type HeldFile = Pick<ProofLog, 'heldViews' | 'keepHeldViews'>

/** In the order in which they were rebuilt. A damaged file counts as none: views can be rebuilt again. */
export const heldIn = async (files: HeldFile): Promise<readonly HeldViews[]> => {
  try {
    const held = t.array(HeldViews).decode(JSON.parse((await files.heldViews()) ?? '[]'))
    return isRight(held) ? held.right : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

export const keepHeld = (files: HeldFile, held: readonly HeldViews[]): Promise<void> =>
  files.keepHeldViews(JSON.stringify(held))
