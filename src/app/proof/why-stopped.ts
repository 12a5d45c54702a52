import { placeOf } from './check/differences.ts'
import type { SealedLeaf } from './find-place.ts'

/* Why a tree is not extended before a person has acted, in sentences without a full stop. */

export const whyBehind = ({ index, leaf }: SealedLeaf): string =>
  `the log is behind its own Merkle tree: it lacks leaf ${index}, ${placeOf(leaf)}, so nothing is signed`

export const whyHeadless = ({
  origin,
  folder,
}: {
  readonly origin: string
  readonly folder: string
}): string =>
  `the checkpoint of the Merkle tree ${origin} is not in ${folder}, and its keys are here: nothing is signed`

export const putBack = (what: string): string =>
  `put ${what} back, or begin a new tree: fonds do proof.replace-tree`
