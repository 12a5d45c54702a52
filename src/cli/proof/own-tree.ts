import { InvalidNote, UntrustedNote } from '@fonds/tlog'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { BrokenTree } from '../../app/proof/open-tree.ts'
import * as own from '../../app/proof/own-tree.ts'
import type { System } from '../../app/system.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'

export type OwnTree = own.OwnTree

/** The tree of this home. Left: there is none here, or its keys are gone. */
export const ownTree = async (system: System): Promise<Either<CliFailure, OwnTree>> => {
  const tree = await own.ownTree(system)
  switch (tree.kind) {
    case 'own':
      return right(tree)
    case 'none':
      return left(refused('the log is not sealed yet', 'run `fonds start`: it seals within seconds'))
    case 'elsewhere':
      return left(
        refused(
          `the tree ${tree.origin} of this log is in another home`,
          'ask there, or set FONDS_PROOF_FOLDER',
        ),
      )
    case 'headless':
      return left(refused(tree.reason, damagedHint))
    case 'keyless':
      return left(
        refused(
          `the keys of the tree are not in ${tree.keyFolder}`,
          'put them back, or set FONDS_PROOF_KEY_FOLDER',
        ),
      )
  }
}

/** Works on the tree of this home. One that is damaged, or was signed by another key, is a failure. */
export const onOwnTree = async (
  system: System,
  work: (tree: OwnTree) => Promise<CliFailure | undefined>,
): Promise<CliFailure | undefined> => {
  try {
    const tree = await ownTree(system)
    return isLeft(tree) ? tree.left : await work(tree.right)
  } catch (error) {
    if (error instanceof BrokenTree) return refused(error.message, damagedHint)
    if (error instanceof InvalidNote || error instanceof UntrustedNote)
      return refused(`the checkpoint in ${system.config.proofFolder} ${error.message}`, damagedHint)
    throw error
  }
}

const damagedHint = 'put back the folder as it was, or begin a new tree: fonds do proof.replace-tree'
