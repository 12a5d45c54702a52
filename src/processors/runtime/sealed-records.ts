import { isLeft } from 'fp-ts/lib/Either.js'
import { binaryAttributes, hasVersion, structured } from '../../domain/kernel/envelope.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { changePersonal, personalFields } from '../../domain/kernel/personal-fields.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import { markedAmong, markHeader, marksOf } from './message-marks.ts'
import { referencesFor, type SealsMessages, type ToSeal, textsIn } from './sealed-messages.ts'

/**
 * Records on their way to their topics, with references in the place of personal values, and the archive's mark. A record that has its
 * mark stays as it is, and so does what is no message of its topic. Throws `UnavailableError`.
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
    return one ? [one] : []
  })
  const sealed = [
    ...(await replaced(
      seals,
      found.filter(({ record }) => record.sealed),
      'seal',
    )),
    ...(await replaced(
      seals,
      found.filter(({ record }) => !record.sealed),
      'sealTyped',
    )),
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
  readonly write: (data: unknown) => string
}

const replaced = async (
  seals: Pick<SealsMessages, 'personal'>,
  found: readonly Found[],
  way: 'seal' | 'sealTyped',
): Promise<readonly (readonly [from: ProducerRecord, to: ProducerRecord])[]> => {
  const referenceOf = await referencesFor(seals, found, way)
  const replace = (text: string): string => referenceOf.get(text) ?? text
  return found.map((one) => {
    const { record, data, fields, write } = one
    // The key is a field of the data, and stays one.
    const key = record.key !== null && textsIn(one).includes(record.key) ? replace(record.key) : record.key
    const raw = record.raw &&
      key !== record.key && { raw: { ...record.raw, key: key === null ? null : Buffer.from(key) } }
    return [record, { ...record, key, ...raw, value: write(changePersonal(data, fields, replace)) }]
  })
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

/** The data of a record with personal fields, in either content mode. */
export const messageIn = (record: ProducerRecord, topic: TopicSpec | undefined): Found | undefined => {
  if (!topic?.messages.some(({ personal }) => personal)) return undefined
  const json = parseJson(record.value)
  if (isLeft(json)) return undefined
  const { type } = binaryAttributes(record.headers)
  if (type !== undefined) return foundIn(record, topic, type, json.right, JSON.stringify)
  if (!hasVersion(json.right)) return undefined
  const { data_base64: _, ...whole } = json.right
  const wrapped = structured(json.right)
  if (isLeft(wrapped) || wrapped.right.data === undefined) return undefined
  return foundIn(record, topic, whole.type, wrapped.right.data, (data) => JSON.stringify({ ...whole, data }))
}

const foundIn = (
  record: ProducerRecord,
  topic: TopicSpec,
  type: unknown,
  data: unknown,
  write: (data: unknown) => string,
): Found | undefined => {
  const fields = typeof type === 'string' ? personalFields(topic, type) : []
  return fields.length === 0 ? undefined : { record, data, fields, write }
}
