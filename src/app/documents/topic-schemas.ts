import * as t from 'io-ts'
import { Text } from '../../domain/kernel/codecs.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { topicsOf, type WorkflowModel } from '../../workflows/workflow-model.ts'
import { type EventTopic, eventTopicsOf } from '../event-topics.ts'
import { jsonSchema } from './json-schema.ts'

export const TopicSchemas = t.type({
  topic: Text,
  description: t.string,
  messages: t.array(
    t.intersection([
      t.type({ type: Text, description: t.string, schema: t.UnknownRecord }),
      t.partial({ example: t.unknown }),
    ]),
  ),
})

export type TopicSchemas = t.TypeOf<typeof TopicSchemas>

/** The schemas of all topics: those that take messages, then those that the relay writes. */
export const schemasOf = (workflows: readonly WorkflowModel[]): readonly TopicSchemas[] => [
  ...topicsOf(workflows).map(topicSchemas),
  ...eventTopicsOf(workflows).map(eventSchemas),
]

const topicSchemas = (topic: TopicSpec): TopicSchemas => ({
  topic: topic.name,
  description: topic.description,
  messages: topic.messages.map(({ type, description, codec, example }) => ({
    type,
    description,
    schema: jsonSchema(codec, { title: type, description }),
    example: codec.encode(example),
  })),
})

const eventSchemas = (topic: EventTopic): TopicSchemas => ({
  topic: topic.name,
  description: topic.description,
  messages: topic.sets
    .flatMap(({ specs }) => [...specs.values()])
    .map(({ type, description, codec }) => ({
      type,
      description,
      schema: jsonSchema(codec, { title: type, description }),
    })),
})
