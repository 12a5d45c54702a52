import { describe, expect, it } from 'vitest'
import { asyncApi } from '#src/app/documents/asyncapi.ts'
import { events } from '#src/domain/fixity/events.ts'
import { topics } from '#src/domain/fixity/messages.ts'
import { storeEvents } from '#src/domain/fixity/store/events.ts'
import { readMessage, writeMessage } from '#src/domain/kernel/cloud-event.ts'
import { toRecord, withoutData } from '#src/processors/runtime/relayed-event.ts'
import { brokenReferences } from '../../contracts/references.ts'
import { validatorOf } from '../../contracts/schema-agreement.ts'

const eventTopic = { name: 'fonds.fixity.events', description: 'What happened.', sets: [events, storeEvents] }
const document = asyncApi({ title: 'Fonds', version: '1.2.3' }, topics, [eventTopic])

interface Part {
  readonly [name: string]: Part
}
const parts = document as unknown as Part
const messages = parts.components!.messages!

describe('the AsyncAPI document', () => {
  it('has a channel for every topic, received, and one for the events, sent', () => {
    expect(Object.keys(parts.channels!)).toEqual([...topics.map(({ name }) => name), 'fonds.fixity.events'])
    expect(Object.values(parts.operations!).map(({ action }) => action)).toEqual([
      'receive',
      'receive',
      'receive',
      'send',
    ])
    expect(Object.keys(parts.channels!['fonds.fixity.content']!.messages!)).toEqual([
      'content.recorded',
      'content.removed',
    ])
    expect(Object.keys(parts.channels!['fonds.fixity.events']!.messages!)).toHaveLength(
      events.types.length + storeEvents.types.length,
    )
  })

  it('says of a topic that Fonds alone writes that Fonds sends it, as CloudEvents', () => {
    const made = { ...topics[0]!, madeBy: 'fonds' as const }
    const { operations, components } = asyncApi(
      { title: 'Fonds', version: '1' },
      [made],
      [],
    ) as unknown as Part
    expect(operations).toMatchObject({ [`send.${made.name}`]: { action: 'send' } })
    expect(components?.messages?.[`${made.name}.content.recorded`]?.traits).toEqual([
      { $ref: '#/components/messageTraits/cloudEvent' },
    ])
  })

  it('points nowhere in vain, and is plain JSON', () => {
    expect(brokenReferences(document)).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it.each(topics.flatMap((topic) => topic.messages.map((spec) => [topic, spec] as const)))(
    '$0.name: $1.type has an example that its schemas and Fonds itself take',
    (topic, spec) => {
      const message = messages[`${topic.name}.${spec.type}`]!
      const example = message.examples![0 as unknown as string]!
      expect(validatorOf(message.payload!)(example.payload)).toBe(true)
      expect(validatorOf(parts.components!.messageTraits!.cloudEvent!.headers!)(example.headers)).toBe(true)
      const record = {
        log: 'l',
        topic: topic.name,
        partition: 0,
        offset: 0n,
        timestamp: '2026-01-31T12:00:00.000Z',
        key: topic.keyOf(spec.example),
        headers: example.headers as unknown as Record<string, string>,
        value: JSON.stringify(example.payload),
      }
      expect(readMessage(record, topic)._tag).toBe('Right')
    },
  )

  it('describes the headers of the events that the relay writes', () => {
    const event = {
      id: '0198c0de-0000-7000-8000-000000000001',
      type: 'StoreRegistered',
      stream: 'fixityStore-main',
      revision: 0n,
      position: 7n,
      recordedAt: '2026-01-31T12:00:00.000Z',
      data: {},
      metadata: { actor: 'ada', causationId: 'c', correlationId: 'd', schema: 1 },
    }
    const record = toRecord(event, { name: eventTopic.name, source: 'fonds://log/fixity', categories: [] })
    const validate = validatorOf(parts.components!.messageTraits!.event!.headers!)
    for (const { headers } of [record, withoutData(record)]) {
      expect(validate(headers)).toBe(true)
      const described = parts.components!.messageTraits!.event!.headers!.properties!
      expect(Object.keys(described)).toEqual(
        expect.arrayContaining(Object.keys(headers).filter((name) => name !== 'content-type')),
      )
    }
    expect(messages['fonds.fixity.events.StoreRegistered']!.traits).toEqual([
      { $ref: '#/components/messageTraits/event' },
    ])
  })

  it('describes the headers that Fonds writes', () => {
    const [topic] = topics
    const [spec] = topic!.messages
    const message = {
      id: '1',
      source: 's',
      type: spec!.type,
      time: '2026-01-31T12:00:00.000Z',
      data: spec!.example,
    }
    const { headers } = writeMessage(message, topic!)
    const validate = validatorOf(parts.components!.messageTraits!.cloudEvent!.headers!)
    expect(validate(headers)).toBe(true)
    expect(validate({ ...headers, ce_specversion: '0.3' })).toBe(false)
  })
})
