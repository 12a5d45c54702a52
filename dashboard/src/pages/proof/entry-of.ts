import { fromBase64, InvalidNote, sha256, toBase64 } from '@fonds/tlog/web'
import { entryText, isShort } from '../../../../src/domain/kernel/proof/event-entry.ts'
import type { ProofAnswer } from './proof-answer.ts'

type ProvenEvent = NonNullable<ProofAnswer['event']>

/**
 * The entry that an event has by its bytes (form `fonds.event/v1`). Its last line, the leaf of the event before it, stands in the
 * other entry alone, and is taken from there.
 */
export const entryOf = async (event: ProvenEvent, other: Uint8Array): Promise<Uint8Array> => {
  const { stream, revision, id, type, recordedAt, data, metadata } = event
  const [digests, hashed, before] = [
    new Map<string, string>(),
    await hashesOf(data, metadata),
    previousIn(other),
  ]
  for (const text of [stream, id, type])
    if (!isShort(text)) digests.set(text, await digest(new TextEncoder().encode(text)))
  const leaf = {
    ...{ stream, id, type, recordedAt },
    revision: numberIn(revision),
    previous: before,
    ...hashed,
  }
  return new TextEncoder().encode(entryText(leaf, (text) => digests.get(text) ?? ''))
}

/** In its one form: a browser takes blanks, and nothing at all, for numbers, too. */
const numberIn = (text: string): bigint => {
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) throw new InvalidNote('has an event whose revision is no number')
  return BigInt(text)
}

const hashesOf = async (data: ProvenEvent['data'], metadata: ProvenEvent['metadata']) => ({
  data: await digest(bytesOf(data)),
  metadata: await digest(bytesOf(metadata)),
})

const digest = async (bytes: Uint8Array): Promise<string> => toBase64(await sha256(bytes))

const bytesOf = (bytes: ProvenEvent['data']): Uint8Array => {
  if (typeof bytes === 'string') return new TextEncoder().encode(bytes)
  const decoded = fromBase64(bytes.base64)
  if (!decoded) throw new InvalidNote('has an event whose bytes are no base64')
  return decoded
}

const linesOf = (entry: Uint8Array): readonly string[] => new TextDecoder().decode(entry).split('\n')

const previousIn = (entry: Uint8Array): bigint | undefined => {
  const line = linesOf(entry)[8] ?? ''
  return /^(0|[1-9]\d{0,18})$/.test(line) ? BigInt(line) : undefined
}

const fields = [
  ...['form', 'stream', 'revision', 'id', 'type', 'time of recording', 'data', 'metadata'],
  'event before it',
]

/** The fields in which two entries differ; empty only where they are the same, byte for byte. */
export const differingLines = (entry: Uint8Array, other: Uint8Array): readonly string[] => {
  const [mine, others] = [linesOf(entry), linesOf(other)]
  const found = fields.filter((_, i) => mine[i] !== others[i])
  const isSame = entry.length === other.length && entry.every((byte, i) => byte === other[i])
  return found.length > 0 || isSame ? found : ['form']
}
