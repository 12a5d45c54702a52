import { orThrow } from '../../async/unavailable.ts'
import type { Message, TopicSpec } from '../../domain/kernel/message.ts'
import { withoutReferences } from '../../domain/kernel/personal.ts'
import { changePersonal, personalFields } from '../../domain/kernel/personal-fields.ts'
import { withoutReferencesIn } from '../../domain/kernel/typed-references.ts'
import type { BrokerRecord } from '../../ports/broker.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import { markedAmong } from './message-marks.ts'

/*
 * Where messages enter: references take the place of personal values on the way to a topic (`sealed-records.ts`), and of what others
 * put there before anything is decided on it.
 */

export interface SealsMessages {
  readonly personal: Pick<PersonalValues, 'seal' | 'sealTyped' | 'marks'>
  readonly config: { readonly personalValues: 'on' | 'off' }
}

export const keepsByReference = (seals: Partial<SealsMessages>): seals is SealsMessages =>
  seals.personal !== undefined && seals.config?.personalValues === 'on'

export interface ToSeal {
  readonly data: unknown
  readonly fields: readonly string[]
}

/** The reference of each personal text; with `sealTyped` also of texts that look like one. Throws `UnavailableError`. */
export const referencesFor = async (
  { personal }: Pick<SealsMessages, 'personal'>,
  all: readonly ToSeal[],
  way: 'seal' | 'sealTyped',
): Promise<ReadonlyMap<string, string>> => {
  const given = [...new Set(all.flatMap(textsIn))]
  if (given.length === 0) return new Map()
  const references = await orThrow(personal[way](given), 'personal values')
  return new Map(given.map((text, i) => [text, references[i]!]))
}

export const textsIn = ({ data, fields }: ToSeal): readonly string[] => {
  const texts: string[] = []
  changePersonal(data, fields, (text) => {
    if (text !== '') texts.push(text)
    return text
  })
  return texts
}

/** Returns the data of each, in the same order. Throws `UnavailableError`. */
const sealed = async (
  seals: Pick<SealsMessages, 'personal'>,
  all: readonly ToSeal[],
): Promise<readonly unknown[]> => {
  const referenceOf = await referencesFor(seals, all, 'sealTyped')
  return referenceOf.size === 0
    ? all.map(({ data }) => data)
    : all.map(({ data, fields }) => changePersonal(data, fields, (text) => referenceOf.get(text) ?? text))
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
    : ((
        await sealed(seals, [{ data: withoutReferencesIn(data), fields: personalFields(topic, type) }])
      )[0] as Data)

/**
 * Texts by reference, in the same order, where the archive keeps values so: the bytes of a message that could not be used, and what is
 * quoted of them. Throws `UnavailableError`.
 */
export const sealedTexts = async (
  seals: Partial<SealsMessages>,
  texts: readonly string[],
): Promise<readonly string[]> => {
  if (!keepsByReference(seals)) return texts
  const [data] = await sealed(seals, [{ data: { texts }, fields: ['texts'] }])
  return (data as { readonly texts: readonly string[] }).texts
}

/**
 * Decoded messages of a topic with references: those that the archive sealed on their way have them. What else reads as one was typed
 * by somebody, and leads to nothing. Throws `UnavailableError`.
 */
export const sealedMessages = async <
  Decoded extends { readonly record: BrokerRecord; readonly message: Message },
>(
  seals: Pick<SealsMessages, 'personal'>,
  topic: TopicSpec,
  decoded: readonly Decoded[],
): Promise<readonly Decoded[]> => {
  const marked = await markedAmong(
    seals,
    decoded.map(({ record }) => record),
  )
  const typed = decoded.map((one) =>
    marked.has(one.record) ? one : { ...one, message: untyped(one.message) },
  )
  const data = await sealed(
    seals,
    typed.map(({ record, message }) => ({
      data: message.data,
      fields: marked.has(record) ? [] : personalFields(topic, message.type),
    })),
  )
  return typed.map((one, i) =>
    data[i] === one.message.data ? one : { ...one, message: { ...one.message, data: data[i] } },
  )
}

/** Names of a message are in what it causes: as its data, they read as nobody's reference. */
const untyped = (message: Message): Message => {
  const { id, source, subject, correlationId, quoted, data } = message
  return {
    ...message,
    id: withoutReferences(id),
    source: withoutReferences(source),
    ...(subject !== undefined && { subject: withoutReferences(subject) }),
    ...(correlationId !== undefined && { correlationId: withoutReferences(correlationId) }),
    ...(quoted && { quoted: { id: withoutReferences(quoted.id), source: withoutReferences(quoted.source) } }),
    data: withoutReferencesIn(data),
  }
}
