import { InvalidNote, UntrustedNote, type Verifier } from '@fonds/tlog'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { BrokenTree, originIn } from '../../app/proof/open-tree.ts'
import { verifiersOf } from '../../app/proof/signers.ts'
import type { System } from '../../app/system.ts'
import type { ProofLog } from '../../ports/proof-log.ts'
import { treeMark } from '../../processors/runtime/tree-mark.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'

interface OwnTree {
  readonly files: ProofLog
  /** The newest signed checkpoint. */
  readonly head: string
  /** The newest that witnesses cosigned, which others believe; undefined if there is none of this tree. */
  readonly witnessed: string | undefined
  readonly verifiers: readonly Verifier[]
}

/** The tree of this home. Left: there is none here, or its keys are gone. */
export const ownTree = async (system: System): Promise<Either<CliFailure, OwnTree>> => {
  const files = await system.proofLog()
  const head = await files.head()
  if (!head) {
    const origin = await treeMark(system.eventStore)
    return left(
      origin === undefined
        ? refused('the log is not sealed yet', 'run `fonds start`: it seals within seconds')
        : refused(
            `the tree ${origin} of this log is in another home`,
            'ask there, or set FONDS_PROOF_FOLDER',
          ),
    )
  }
  const keys = await files.keys()
  if (!keys)
    return left(
      refused(
        `the keys of the tree are not in ${files.keyFolder}`,
        'put them back, or set FONDS_PROOF_KEY_FOLDER',
      ),
    )
  const verifiers = verifiersOf(originIn(head.text), keys)
  const witnessed = await files.witnessed()
  return right({ files, head: head.text, witnessed, verifiers })
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
