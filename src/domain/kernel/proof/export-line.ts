import { toBase64 } from '@fonds/tlog'
import { asBytes, type StoredBytes, type StoredEvent, storedText } from '../stored-event.ts'
import { ownMetadata } from './own-metadata.ts'

/*
 * A line of `events.ndjson`, form `fonds.export/v1`: a leaf of the tree with the bytes that it names. `data` and `metadata` are
 * texts, `{"base64": …}` where they are no UTF-8, and absent where the log does not hold them any more.
 */

type ExportedBytes = string | { readonly base64: string }

interface ExportedLeaf {
  readonly index: bigint
  /** Text of the entry. */
  readonly entry: string
  /** Undefined: the log does not hold it any more. */
  readonly event: Pick<StoredEvent, 'data' | 'metadata' | 'recordedAt'> | undefined
  /** Hashes from the leaf's sibling up, where the export has no tiles. */
  readonly proof?: readonly Uint8Array[]
}

export const exportForm = 'fonds.export/v1'

/** With its line feed. */
export const exportLine = ({ index, entry, event, proof }: ExportedLeaf): string =>
  `${JSON.stringify({
    index: Number(index),
    entry,
    ...(event && { data: exported(event.data), metadata: exported(ownMetadata(event)) }),
    ...(proof && { proof: proof.map(toBase64) }),
  })}\n`

const exported = (bytes: StoredBytes): ExportedBytes =>
  storedText(bytes) ?? { base64: toBase64(asBytes(bytes)) }
