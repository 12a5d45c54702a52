import { type Policy, toBase64, type Verifier } from '@fonds/tlog'
import { verifierKey } from '@fonds/tlog/compute'
import type * as t from 'io-ts'
import { policyOf } from '../app/proof/policy.ts'
import type { Proven } from '../app/proof/prove-asked.ts'
import { proofFileName } from '../app/proof/prove-event.ts'
import type { TreeState } from '../app/proof/tree-state.ts'
import { ownMetadata } from '../domain/kernel/proof/own-metadata.ts'
import { asBytes, type StoredBytes, storedText } from '../domain/kernel/stored-event.ts'
import type { Bytes, ProofBody, TreeBody } from './proof-bodies.ts'

export const proofBody = (
  { proof, event }: Extract<Proven, { kind: 'proven' }>,
  verifiers: readonly Verifier[],
  policy: Policy | undefined,
): t.TypeOf<typeof ProofBody> => ({
  file: proofFileName(proof),
  proof: proof.text,
  origin: proof.origin,
  index: `${proof.index}`,
  size: `${proof.size}`,
  event: event
    ? {
        ...{ id: event.id, type: event.type, stream: event.stream },
        ...{ revision: `${event.revision}`, position: `${event.position}`, recordedAt: event.recordedAt },
        ...{ data: shown(event.data), metadata: shown(ownMetadata(event)) },
      }
    : null,
  keys: verifiers.map(verifierKey),
  policy: policyOf(verifiers, policy),
})

const shown = (bytes: StoredBytes): t.TypeOf<typeof Bytes> =>
  storedText(bytes) ?? { base64: toBase64(asBytes(bytes)) }

export const treeBody = (
  { state, wrong, isSealing, head, sealedTo, witnessed, check }: TreeState,
  logHead: bigint,
  unsealed: readonly string[],
): t.TypeOf<typeof TreeBody> => ({
  ...{ state, wrong: wrong ?? null, unsealed: [...unsealed], isSealing },
  head: head ? { ...head, size: `${head.size}`, keys: [...head.keys] } : null,
  sealedTo: sealedTo === undefined ? null : `${sealedTo}`,
  logHead: `${logHead}`,
  witnessed: witnessed
    ? {
        size: witnessed.size === undefined ? null : `${witnessed.size}`,
        witnesses: witnessed.witnesses.map(({ name, at }) => ({ name, at: at ?? null })),
        isQuorum: witnessed.isQuorum,
      }
    : null,
  check: check ? { at: check.at, wholeAt: check.wholeAt, differences: [...check.differences] } : null,
})
