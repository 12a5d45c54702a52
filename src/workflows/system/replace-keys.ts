import { cosigner, noteSigner, verifierKey } from '@fonds/tlog/compute'
import * as E from 'fp-ts/lib/Either.js'
import type { TreeKeysReplaced } from '../../domain/kernel/proof/keys-events.ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { ProofKeys } from '../../ports/proof-log.ts'
import type { WorkflowContext } from '../workflow-context.ts'

export type NamedKeys = Pick<TreeKeysReplaced, 'origin' | 'keys' | 'earlier'>

/** Makes the keys that are to sign the tree of this home; the same again, until they are in use. Throws `UnavailableError`. */
export const keysToName = async ({
  proofLog,
}: Pick<WorkflowContext, 'proofLog'>): Promise<E.Either<Rejection, NamedKeys>> => {
  const files = await proofLog()
  const head = await files.head()
  const keys = await files.keys()
  if (!head || !keys)
    return E.left({
      code: 'no-tree',
      message: `this home has no Merkle tree, or not its keys: run the command where ${files.keyFolder} has them`,
    })
  const origin = head.text.split('\n', 1)[0]!
  return E.right({
    origin,
    keys: namesOf(origin, await files.makeNextKeys()),
    earlier: namesOf(origin, keys),
  })
}

const namesOf = (origin: string, { ed25519, mlDsa44 }: ProofKeys): string[] =>
  [noteSigner(origin, ed25519), ...(mlDsa44 ? [cosigner(origin, mlDsa44, () => 0)] : [])].map(
    ({ verifier }) => verifierKey(verifier),
  )
