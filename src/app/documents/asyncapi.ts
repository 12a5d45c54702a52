import type { EventSpec } from '../../domain/kernel/event-set.ts'
import type { MessageSpec, TopicSpec } from '../../domain/kernel/message.ts'
import { cloudEventHeaders } from './cloud-event-headers.ts'
import { eventHeaders } from './event-headers.ts'
import { type JsonSchema, schemaOf } from './json-schema.ts'

/** A topic to which the relay copies a workflow's events: `fonds.<workflow>.events`. */
interface EventTopic {
  readonly name: string
  readonly description: string
  readonly sets: readonly { readonly specs: ReadonlyMap<string, EventSpec> }[]
}

export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly description?: string
}

/** One kind of message on a channel, whoever sends it. */
interface ChannelMessage {
  readonly type: string
  readonly description: string
  readonly payload: JsonSchema
  readonly example?: unknown
}

interface Channel {
  readonly address: string
  readonly description: string
  /** From Fonds' side: it receives messages of producers, and sends its own and the relayed events. */
  readonly action: 'receive' | 'send'
  /** Which headers its messages have. */
  readonly trait: 'cloudEvent' | 'event'
  readonly messages: readonly ChannelMessage[]
}

/** The AsyncAPI 3.0 document: every topic with what may stand on it. */
export const asyncApi = (
  info: DocumentInfo,
  topics: readonly TopicSpec[],
  eventTopics: readonly EventTopic[],
): Readonly<Record<string, unknown>> => {
  const channels = [...topics.map(topicChannel), ...eventTopics.map(eventChannel)]
  return {
    asyncapi: '3.0.0',
    info,
    defaultContentType: 'application/json',
    channels: Object.fromEntries(channels.map((channel) => [channel.address, channelObject(channel)])),
    operations: Object.fromEntries(
      channels.map((channel) => [
        `${channel.action}.${channel.address}`,
        {
          action: channel.action,
          channel: { $ref: `#/channels/${channel.address}` },
          summary: channel.description,
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(channels.flatMap(messageEntries)),
      messageTraits: { cloudEvent: { headers: cloudEventHeaders }, event: { headers: eventHeaders } },
    },
  }
}

const topicChannel = (topic: TopicSpec): Channel => ({
  address: topic.name,
  description: topic.description,
  action: topic.madeBy === 'fonds' ? 'send' : 'receive',
  trait: 'cloudEvent',
  messages: topic.messages.map(
    (spec: MessageSpec): ChannelMessage => ({
      type: spec.type,
      description: spec.description,
      payload: schemaOf(spec.codec),
      example: spec.codec.encode(spec.example),
    }),
  ),
})

const eventChannel = (topic: EventTopic): Channel => ({
  address: topic.name,
  description: topic.description,
  action: 'send',
  trait: 'event',
  messages: topic.sets
    .flatMap((set) => [...set.specs.values()])
    .map((spec) => ({ type: spec.type, description: spec.description, payload: schemaOf(spec.codec) })),
})

const channelObject = (channel: Channel) => ({
  address: channel.address,
  description: channel.description,
  messages: Object.fromEntries(
    channel.messages.map(({ type }) => [
      type,
      { $ref: `#/components/messages/${messageName(channel, type)}` },
    ]),
  ),
})

const messageName = (channel: Channel, type: string): string => `${channel.address}.${type}`

const messageEntries = (channel: Channel): [string, unknown][] =>
  channel.messages.map(({ type, description, payload, example }) => [
    messageName(channel, type),
    {
      name: type,
      summary: description,
      contentType: 'application/json',
      traits: [{ $ref: `#/components/messageTraits/${channel.trait}` }],
      payload,
      bindings: {
        kafka: {
          key: { type: 'string', description: 'The id that orders messages: one id, one partition.' },
        },
      },
      ...(example !== undefined && { examples: [{ headers: exampleHeaders(type), payload: example }] }),
    },
  ])

const exampleHeaders = (type: string) => ({
  ce_specversion: '1.0',
  ce_id: '0198c0de-0000-7000-8000-000000000001',
  ce_source: '/example/producer',
  ce_type: type,
  ce_time: '2026-01-31T12:00:00.000Z',
})
