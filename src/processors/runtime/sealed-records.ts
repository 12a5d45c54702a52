import { isLeft } from 'fp-ts/lib/Either.js'
import { binaryAttributes, hasVersion, structured } from '../../domain/kernel/envelope.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { mayHavePersonal, withoutReferences } from '../../domain/kernel/personal.ts'
import { changePersonal, personalFields } from '../../domain/kernel/personal-fields.ts'
import { withoutReferencesIn } from '../../domain/kernel/typed-references.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import { markedAmong, markHeader, marksOf } from './message-marks.ts'
import { referencesFor, type SealsMessages, type ToSeal, textsIn } from './sealed-messages.ts'

/**
 * Records on their way to their topics, with references in the place of personal values, and the archive's mark. What else was typed
 * as a reference is none any more: the mark is of the whole message. A record that has its mark stays as it is, and so does what is no
 * message of its topic. Throws `UnavailableError`.
 */
export const sealedRecords = async (
  seals: Pick<SealsMessages, 'personal'>,
  topics: readonly TopicSpec[],
  records: readonly ProducerRecord[],
): Promise<readonly ProducerRecord[]> => {
  const named = new Map(topics.map((topic) => [topic.name, topic]))
  const marked = await markedAmong(seals, records)
  const found = records.flatMap((record) => {
    const one = marked.has(record) ? undefined : messageIn(record, named.get(record.topic))
    return one ? [{ ...one, from: record }] : []
  })
  const [own, typed] = [found.filter(({ from }) => from.sealed), found.filter(({ from }) => !from.sealed)]
  const sealed = [
    ...(await replaced(seals, own, 'seal')),
    ...(await replaced(seals, typed.map(untyped), 'sealTyped')),
  ]
  const marks = await marksOf(
    seals,
    sealed.map(([, record]) => record),
  )
  const instead = new Map(sealed.map(([from, record], i) => [from, withMark(record, marks[i]!)]))
  return records.map((record) => instead.get(record) ?? record)
}

interface Found extends ToSeal {
  readonly record: ProducerRecord
  /** All but the data of a structured message. */
  readonly around?: Readonly<Record<string, unknown>>
}

interface FoundIn extends Found {
  readonly from: ProducerRecord
}

/** References that somebody typed are none, but for those in personal fields, which are sealed as what they are. */
const untyped = (one: FoundIn): FoundIn => {
  const { record, around, data } = one
  const { key, headers, raw, sealedSource } = record
  const isOwn = (name: string): boolean => sealedSource === true && name.toLowerCase() === 'ce_source'
  return {
    ...one,
    data: withoutReferencesIn(data),
    ...(around && { around: withoutReferencesIn(around) }),
    record: {
      ...record,
      key: key && withoutReferences(key),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, isOwn(name) ? text : withoutReferences(text)]),
      ),
      ...(raw && {
        raw: {
          key: raw.key && withoutReferencesInBytes(raw.key),
          headers: raw.headers.map(({ name, value }) => ({ name, value: withoutReferencesInBytes(value) })),
        },
      }),
    },
  }
}

const withoutReferencesInBytes = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(withoutReferences(Buffer.from(bytes).toString('latin1')), 'latin1')

const replaced = async (
  seals: Pick<SealsMessages, 'personal'>,
  found: readonly FoundIn[],
  way: 'seal' | 'sealTyped',
): Promise<readonly (readonly [from: ProducerRecord, to: ProducerRecord])[]> => {
  const referenceOf = await referencesFor(seals, found, way)
  const replace = (text: string): string => referenceOf.get(text) ?? text
  return found.map((one) => {
    const { from, record, around, data, fields } = one
    // The key is a field of the data, and stays one.
    const key = record.key !== null && textsIn(one).includes(record.key) ? replace(record.key) : record.key
    const raw = record.raw &&
      key !== record.key && { raw: { ...record.raw, key: key === null ? null : Buffer.from(key) } }
    const sealed = changePersonal(data, fields, replace)
    return [
      from,
      { ...record, key, ...raw, value: JSON.stringify(around ? { ...around, data: sealed } : sealed) },
    ]
  })
}

/** Changes records; those that have the archive's mark get that of what they are then. Throws `UnavailableError`. */
export const changedUnderMark = async (
  seals: Pick<SealsMessages, 'personal'>,
  records: readonly ProducerRecord[],
  change: (record: ProducerRecord) => ProducerRecord,
): Promise<readonly ProducerRecord[]> => {
  const marked = await markedAmong(seals, records)
  const changed = records.map(change)
  const marks = await marksOf(seals, changed)
  return changed.map((record, i) => (marked.has(records[i]!) ? withMark(record, marks[i]!) : record))
}

const withMark = (record: ProducerRecord, mark: string): ProducerRecord => ({
  ...record,
  headers: { ...record.headers, [markHeader]: mark },
  ...(record.raw && {
    raw: {
      ...record.raw,
      headers: [
        ...record.raw.headers.filter(({ name }) => name !== markHeader),
        { name: markHeader, value: Buffer.from(mark) },
      ],
    },
  }),
})

/** The data of a record with personal fields, or with references that the archive put there, in either content mode. */
export const messageIn = (record: ProducerRecord, topic: TopicSpec | undefined): Found | undefined => {
  const isOwn = hasOwnReferences(record)
  if (!topic || !(isOwn || topic.messages.some(({ personal }) => personal))) return undefined
  const json = parseJson(record.value)
  if (isLeft(json)) return undefined
  const found = (type: unknown, data: unknown, around?: Found['around']): Found | undefined => {
    const fields = typeof type === 'string' ? personalFields(topic, type) : []
    return fields.length > 0 || isOwn ? { record, data, fields, ...(around && { around }) } : undefined
  }
  const { type } = binaryAttributes(record.headers)
  if (type !== undefined) return found(type, json.right)
  if (!hasVersion(json.right)) return undefined
  const { data_base64: _, ...whole } = json.right
  const wrapped = structured(json.right)
  if (isLeft(wrapped) || wrapped.right.data === undefined) return undefined
  return found(whole.type, wrapped.right.data, whole)
}

const hasOwnReferences = ({ sealed, sealedSource, headers, value }: ProducerRecord): boolean =>
  (sealed || sealedSource) === true &&
  (Object.values(headers).some(mayHavePersonal) || (typeof value === 'string' && mayHavePersonal(value)))
