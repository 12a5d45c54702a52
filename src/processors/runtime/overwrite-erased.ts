import { orThrow } from '../../async/unavailable.ts'
import { changeLetter, letterTexts } from '../../domain/kernel/dead-letter-texts.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import type { Broker, BrokerRecord, RecordContent } from '../../ports/broker.ts'
import type { PersonalValues } from '../../ports/personal-values.ts'
import { textsIn } from './sealed-messages.ts'
import { changedUnderMark, messageIn, sealedRecords } from './sealed-records.ts'
import { textOrBytes } from './text-or-bytes.ts'

interface Overwriting {
  readonly broker: Pick<Broker, 'overwrite'>
  readonly personal: PersonalValues
  readonly workflows: readonly { readonly topics: readonly TopicSpec[] }[]
}

/**
 * Puts references in the place of values that are about to be erased, in messages on topics: in personal fields, in their keys and
 * headers, and in the place of all bytes of a message that became a dead letter. Throws `UnavailableError`. Where topics cannot be
 * overwritten, nothing is done.
 */
export const overwriteErased = async (
  { broker, personal, workflows }: Overwriting,
  references: readonly string[],
): Promise<void> => {
  if (!broker.overwrite || references.length === 0) return
  const values = await orThrow(personal.find(references), 'personal values')
  const referenceOf = new Map(
    [...values].flatMap(([reference, value]) =>
      value.kind === 'value' ? [[value.text, reference] as const] : [],
    ),
  )
  if (referenceOf.size === 0) return
  const topics = workflows.flatMap((workflow) => workflow.topics)
  const named = new Map(topics.map((topic) => [topic.name, topic]))
  const isErased = (text: string): boolean => referenceOf.has(text)
  const overwritten = broker.overwrite(async (records) => {
    const found = records.filter((record) => textsOf(record, named.get(record.topic)).some(isErased))
    // The other values of the message become references with them: its mark is of all.
    const sealed = await sealedRecords({ personal }, topics, found)
    const changed = await changedUnderMark({ personal }, sealed, (record) => ({
      ...record,
      ...withReferences(record, referenceOf),
    }))
    const instead = new Map(found.map((record, i) => [record, changed[i]!]))
    return records.map((record) => instead.get(record))
  })
  await orThrow(overwritten, 'topics')
}

/** Texts of a record of which each may be a value. */
const textsOf = (record: BrokerRecord, topic: TopicSpec | undefined): readonly string[] => {
  const message = messageIn(record, topic)
  return [...letterTexts(asLetter(record)), ...(message ? textsIn(message) : [])]
}

const asLetter = ({ key, headers, value }: RecordContent) => ({
  key,
  headers,
  value: textOrBytes(value).value,
})

const withReferences = (record: RecordContent, referenceOf: ReadonlyMap<string, string>): RecordContent => {
  const letter = asLetter(record)
  const { key, headers, value } = changeLetter(letter, (text) => referenceOf.get(text) ?? text)
  return { key, headers, value: value === letter.value ? record.value : value }
}
