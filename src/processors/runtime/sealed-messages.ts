import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../../async/unavailable.ts'
import { binaryAttributes, hasVersion, isObject } from '../../domain/kernel/envelope.ts'
import { parseJson } from '../../domain/kernel/json-text.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import { changePersonal, personalFields } from '../../domain/kernel/personal-fields.ts'
import type { ProducerRecord } from '../../ports/broker.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'

/*
 * Where messages enter: references take the place of personal values on the way to a topic, and of what others put there before
 * anything is decided on it.
 */

export interface SealsMessages {
  readonly personal: Pick<PersonalValues, 'seal'>
  readonly config: { readonly personalValues: 'on' | 'off' }
}

/** True if messages of the topic have values that are to be kept by reference. */
export const areSealed = (seals: Partial<SealsMessages>, topic: TopicSpec): seals is SealsMessages =>
  seals.personal !== undefined &&
  seals.config?.personalValues === 'on' &&
  topic.messages.some(({ personal }) => personal)

interface ToSeal {
  readonly data: unknown
  readonly fields: readonly string[]
}

/** Returns the data of each, in the same order. Throws `UnavailableError`. */
const sealed = async (
  { personal }: Pick<SealsMessages, 'personal'>,
  all: readonly ToSeal[],
): Promise<readonly unknown[]> => {
  const referenceOf = await referencesFor({ personal }, all)
  return referenceOf.size === 0
    ? all.map(({ data }) => data)
    : all.map(({ data, fields }) => changePersonal(data, fields, (text) => referenceOf.get(text) ?? text))
}

/** The reference of each personal text. Throws `UnavailableError`. */
const referencesFor = async (
  { personal }: Pick<SealsMessages, 'personal'>,
  all: readonly ToSeal[],
): Promise<ReadonlyMap<string, string>> => {
  const given = [...new Set(all.flatMap(textsIn))]
  if (given.length === 0) return new Map()
  const references = await orThrow(personal.seal(given), 'personal values')
  return new Map(given.map((text, i) => [text, references[i]!]))
}

const textsIn = ({ data, fields }: ToSeal): readonly string[] => {
  const texts: string[] = []
  changePersonal(data, fields, (text) => {
    if (text !== '') texts.push(text)
    return text
  })
  return texts
}

/** Data of one message by reference, for whoever compares them with what is stored. Throws `UnavailableError`. */
export const sealedData = async <Data>(
  seals: SealsMessages,
  topic: Pick<TopicSpec, 'messages'>,
  type: string,
  data: Data,
): Promise<Data> =>
  seals.config.personalValues === 'off'
    ? data
    : ((await sealed(seals, [{ data, fields: personalFields(topic, type) }]))[0] as Data)

/**
 * Texts by reference, in the same order, where the archive keeps values so: the bytes of a message that could not be used, and what is
 * quoted of them. Throws `UnavailableError`.
 */
export const sealedTexts = async (
  { personal, config }: Partial<SealsMessages>,
  texts: readonly string[],
): Promise<readonly string[]> => {
  if (!personal || config?.personalValues !== 'on') return texts
  return (await sealed({ personal }, [{ data: { texts }, fields: ['texts'] }])).flatMap(
    (data) => (data as { readonly texts: readonly string[] }).texts,
  )
}

/** Decoded messages of a topic with references. Throws `UnavailableError`. */
export const sealedMessages = async <Decoded extends { readonly message: Message }>(
  seals: Pick<SealsMessages, 'personal'>,
  topic: TopicSpec,
  decoded: readonly Decoded[],
): Promise<readonly Decoded[]> => {
  const data = await sealed(
    seals,
    decoded.map(({ message }) => ({ data: message.data, fields: personalFields(topic, message.type) })),
  )
  return decoded.map((one, i) =>
    data[i] === one.message.data ? one : { ...one, message: { ...one.message, data: data[i] } },
  )
}

/**
 * Records on their way to their topics, with references in the place of personal values. What is no message of its topic stays as it is.
 * Throws `UnavailableError`.
 */
export const sealedRecords = async (
  seals: Pick<SealsMessages, 'personal'>,
  topics: readonly TopicSpec[],
  records: readonly ProducerRecord[],
): Promise<readonly ProducerRecord[]> => {
  const named = new Map(topics.map((topic) => [topic.name, topic]))
  const found = records.map((record) => messageIn(record, named.get(record.topic)))
  const referenceOf = await referencesFor(
    seals,
    found.flatMap((one) => one ?? []),
  )
  const replaced = (text: string): string => referenceOf.get(text) ?? text
  return records.map((record, i) => {
    const one = found[i]
    if (!one) return record
    // The key is a field of the data, and stays one.
    const isKey = record.key !== null && textsIn(one).includes(record.key)
    const value = one.write(changePersonal(one.data, one.fields, replaced))
    return { ...record, value, ...(isKey && { key: replaced(record.key!) }) }
  })
}

interface Found extends ToSeal {
  readonly write: (data: unknown) => string
}

/** The data of a record with personal fields, in either content mode. */
const messageIn = ({ headers, value }: ProducerRecord, topic: TopicSpec | undefined): Found | undefined => {
  if (!topic?.messages.some(({ personal }) => personal)) return undefined
  const json = parseJson(value)
  if (isLeft(json)) return undefined
  const type = binaryAttributes(headers).type
  if (type !== undefined) return foundIn(topic, type, json.right, JSON.stringify)
  const whole = json.right
  if (!hasVersion(whole) || !isObject(whole.data)) return undefined
  return foundIn(topic, whole.type, whole.data, (data) => JSON.stringify({ ...whole, data }))
}

const foundIn = (
  topic: TopicSpec,
  type: unknown,
  data: unknown,
  write: (data: unknown) => string,
): Found | undefined => {
  const fields = typeof type === 'string' ? personalFields(topic, type) : []
  return fields.length === 0 ? undefined : { data, fields, write }
}
