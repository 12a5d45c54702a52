import * as t from 'io-ts'
import { Text } from '../domain/kernel/codecs.ts'
import type { TopicSpec } from '../domain/kernel/message.ts'
import { jsonSchema } from './documents/json-schema.ts'

export const TopicSchemas = t.type({
  topic: Text,
  description: t.string,
  messages: t.array(
    t.type({ type: Text, description: t.string, schema: t.UnknownRecord, example: t.unknown }),
  ),
})

/** What a topic takes: the JSON Schema of each of its messages, with an example. */
export const topicSchemas = (topic: TopicSpec): t.TypeOf<typeof TopicSchemas> => ({
  topic: topic.name,
  description: topic.description,
  messages: topic.messages.map(({ type, description, codec, example }) => ({
    type,
    description,
    schema: jsonSchema(codec, { title: type, description }),
    example: codec.encode(example),
  })),
})
