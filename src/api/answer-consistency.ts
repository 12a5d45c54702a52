import { toBase64 } from '@fonds/tlog'
import { openHead } from '../app/proof/open-tree.ts'
import { ownTree } from '../app/proof/own-tree.ts'
import { proveConsistency } from '../app/proof/prove-consistency.ts'
import { whyDamaged } from '../app/proof/tree-state.ts'
import type { System } from '../app/system.ts'
import { noTree, refused } from './answer-proof.ts'
import { v1 } from './context.ts'
import { refuse } from './http/refuse.ts'
import { type Handled, json } from './http/route.ts'

/** Numbers of leaves; without `to` those of the newest head. */
interface AskedSizes {
  readonly from: bigint
  readonly to: bigint | undefined
}

/** Answers a question for the proof that the tree of one size is the beginning of that of another. */
export const answerConsistency = async (
  system: Pick<System, 'eventStore' | 'proofLog'>,
  asked: AskedSizes,
): Promise<Handled> => {
  const tree = await ownTree(system)
  if (tree.kind !== 'own') return noTree(tree)
  try {
    const head = openHead(tree.head.text, tree.verifiers)
    const { from, to = head.size } = asked
    for (const [path, size] of Object.entries({ from, to }))
      if (size > head.size)
        return refuse(
          409,
          'larger-than-tree',
          `${path}: the newest head has ${head.size} leaves, not ${size}; GET ${v1}/proof/tree has it. Somebody who holds a signed head of ${size} knows that the tree was larger: keep both heads`,
          { path, size: `${head.size}` },
        )
    if (from > to)
      return refuse(400, 'wrong-parameter', `from: ${from} leaves are more than ${to}, which to names`, {
        path: 'from',
      })
    const proof = await proveConsistency(tree.files, head, from, to)
    return json({ origin: tree.origin, from: `${from}`, to: `${to}`, proof: proof.map(toBase64) })
  } catch (error) {
    const damage = whyDamaged(error)
    if (damage) return refused(409, 'tree-damaged', damage)
    throw error
  }
}
