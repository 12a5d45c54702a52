import { InvalidNote, UntrustedNote } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'
import { errorMessage } from '../../async/errors.ts'
import { isActive } from '../../domain/kernel/lease.ts'
import { leaderLeaseOf } from '../../processors/runtime/leader-lease-of.ts'
import { sealerLease } from '../../processors/runtime/tree-mark.ts'
import type { System } from '../system.ts'
import { type CheckState, checkStateOf } from './check/check-state.ts'
import { type Examined, examineTree } from './examine-head.ts'
import { BrokenTree, openHead } from './open-tree.ts'
import { type OwnTree, ownTree } from './own-tree.ts'
import { policyOf } from './policy.ts'
import { usablePolicy } from './usable-policy.ts'
import { putBack } from './why-stopped.ts'
import { type WitnessedHead, witnessedHead } from './witnessed-head.ts'

/** A head of this home's tree, as people are shown it. Nothing of the log has been compared but the newest leaf. */
interface ShownHead {
  readonly origin: string
  /** Leaves. */
  readonly size: bigint
  /** Base64. */
  readonly root: string
  /** When it was signed, ISO 8601. */
  readonly at: string
  readonly checkpoint: string
  /** Verifier keys of the tree. */
  readonly keys: readonly string[]
  /** The keys, and the witnesses that this home asks, as others check by them (c2sp.org/tlog-policy). */
  readonly policy: string
}

export interface TreeState {
  readonly state: Examined['kind'] | 'damaged'
  /** A sentence about what is wrong, and what to do. Undefined where nothing is. */
  readonly wrong: { readonly reason: string; readonly help: string } | undefined
  /** Undefined where this home has no head, or none that its own key signed. */
  readonly head: ShownHead | undefined
  /** Position of the last sealed event; undefined where the log does not have it, -1: none. */
  readonly sealedTo: bigint | undefined
  /** A process holds the lease of the sealer. */
  readonly isSealing: boolean
  readonly witnessed: WitnessedHead | undefined
  /** How far the log was compared with the tree; undefined: not yet. */
  readonly check: CheckState | undefined
}

type StateSystem = Pick<System, 'eventStore' | 'proofLog' | 'proofPolicy' | 'clock'>

/** Throws `UnavailableError`. */
export const treeState = async (system: StateSystem): Promise<TreeState> => {
  const { lease } = await leaderLeaseOf(system, sealerLease)
  const isSealing = isActive(lease, system.clock.now())
  const tree = await ownTree(system)
  const nothing = { head: undefined, sealedTo: undefined, isSealing, witnessed: undefined, check: undefined }
  if (tree.kind !== 'own') return { ...nothing, state: tree.kind, wrong: whyNone(tree) }
  try {
    const examined = await examineTree(system, tree)
    const { policy, reason } = await usablePolicy(system)
    return {
      ...{ state: examined.kind, isSealing },
      wrong:
        examined.kind === 'behind'
          ? { reason: examined.reason, help: putBack('the log that has it') }
          : reason === undefined
            ? undefined
            : { reason, help: 'mend the file, or take FONDS_PROOF_POLICY away' },
      head: shownHead(tree, policyOf(tree.verifiers, policy, tree.retired)),
      sealedTo: examined.kind === 'sealed' ? examined.position : undefined,
      witnessed: witnessedHead(tree, policy),
      check: await checkStateOf(tree.files, tree.origin),
    }
  } catch (error) {
    const wrong = whyDamaged(error)
    if (wrong) return { ...nothing, state: 'damaged', wrong }
    throw error
  }
}

const shownHead = ({ origin, head, verifiers }: OwnTree, policy: string): ShownHead => {
  const { size, root } = openHead(head.text, verifiers)
  return {
    ...{ origin, size, root: Buffer.from(root).toString('base64'), at: head.at, checkpoint: head.text },
    ...{ keys: verifiers.map(verifierKey), policy },
  }
}

/** Why this home shows nothing of a tree, and what to do. */
export const whyNone = (
  tree: Exclude<Awaited<ReturnType<typeof ownTree>>, OwnTree>,
): { readonly reason: string; readonly help: string } => {
  switch (tree.kind) {
    case 'none':
      return {
        reason: 'the log is not sealed yet',
        help: 'run `fonds start` with the role sealer: it seals within seconds',
      }
    case 'elsewhere':
      return {
        reason: `the Merkle tree ${tree.origin} of this log is in another home`,
        help: 'ask there, or set FONDS_PROOF_FOLDER; where this home was restored from a backup, begin a new tree: fonds do proof.replace-tree',
      }
    case 'headless':
      return { reason: tree.reason, help: putBack('it') }
    case 'keyless':
      return {
        reason: `the key of the Merkle tree is not in ${tree.keyFolder}`,
        help: putBack('the key'),
      }
  }
}

/** The same of an error that a damaged tree makes; undefined for any other error. */
export const whyDamaged = (
  error: unknown,
): { readonly reason: string; readonly help: string } | undefined => {
  if (error instanceof BrokenTree) return { reason: error.message, help: putBack('the folder') }
  if (error instanceof InvalidNote || error instanceof UntrustedNote)
    return { reason: `the checkpoint of the Merkle tree ${errorMessage(error)}`, help: putBack('it') }
  return undefined
}
