import { isLeft, left } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { System } from '../../app/system.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import type { TopicSpec } from '../../domain/kernel/message.ts'
import { Flag } from '../../domain/kernel/text-codecs.ts'
import { topicsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { away } from '../http/errors.ts'
import { IdempotencyKey } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { messageTypes } from '../message-bodies.ts'
import { messageOutcome, Outcomes } from '../message-outcome.ts'
import { noSuchTopic, topicInPath } from '../path-names.ts'
import { Taken, takeMessages } from '../take-messages.ts'

const tags = ['messages']

const CloudEvent = t.intersection([
  t.type({ specversion: Text, id: Text, source: Text, type: Text, data: t.unknown }),
  t.partial({ time: Time, subject: Text, correlationid: Text, traceparent: Text, datacontenttype: Text }),
])

/** The way in: messages for topics, and what became of them. */
export const messageRoutes = ({ system }: ApiContext): readonly Route[] => [
  produceRoute(system),
  outcomeRoute(system),
]

const produceRoute = (system: System): Route => {
  const topics = topicsOf(system.workflows)
  return route(
    {
      method: 'post',
      path: `${v1}/topics/{topic}/messages`,
      operationId: 'produce',
      summary: 'Puts messages on a topic.',
      description:
        'A CloudEvent in binary (`ce-…` headers), structured or batched mode, or lines of JSON as `fonds produce` takes them; at most 10,000 a request. In binary mode with `ce-specversion`, the content type is any JSON, or absent. All or none, unless `partial=true`. 202 means that they are kept and in order, not what they led to: see the outcome of a message.',
      tags,
      parameters: [
        topicInPath(system.workflows),
        {
          name: 'partial',
          in: 'query',
          description: 'Takes what is good; what is not is counted, and the first 100 are listed.',
          codec: Flag,
        },
        {
          name: 'idempotency-key',
          in: 'header',
          description: 'Makes the ids of lines that have none, so that sending them again is harmless.',
          codec: IdempotencyKey,
        },
      ],
      requestBody: {
        description: 'One or more messages.',
        codec: CloudEvent,
        contentType: messageTypes.structured,
        others: [
          { contentType: messageTypes.batch, codec: t.array(CloudEvent) },
          { contentType: messageTypes.lines },
          { contentType: messageTypes.json, codec: t.unknown },
        ],
      },
      responses: {
        202: {
          description: 'Where each was put, and which were refused.',
          codec: Taken,
        },
      },
      problems: [
        ...['not-json', 'not-utf8', 'not-a-cloud-event', 'unknown-type', 'wrong-shape'].map((code) => ({
          status: 400,
          code,
          description: 'The message cannot be used.',
        })),
        {
          status: 400,
          code: 'refused',
          description:
            'Nothing was taken; `refused` lists the first 100 lines at fault, `refusedCount` counts all.',
        },
        { status: 400, code: 'no-messages', description: 'The body holds no message.' },
        { status: 413, code: 'too-many-messages', description: 'Over 10,000 messages in one body.' },
        {
          status: 403,
          code: 'made-by-fonds',
          description: 'Fonds alone writes that topic, from its own events.',
        },
        noSuchTopic,
      ],
      permission: 'administer',
    },
    async ({ parameters, headers, bytes, caller }) => {
      const topic = topics.find(({ name }) => name === parameters.topic)
      if (!topic) return refuse(404, 'no-such-topic', noTopic(parameters.topic, topics), { path: 'topic' })
      if (topic.madeBy === 'fonds')
        return refuse(403, 'made-by-fonds', madeByFonds(topic, topics), { path: 'topic' })
      const { partial = false, 'idempotency-key': key } = parameters
      return takeMessages(system, topic, {
        ...{ headers, bytes, key, partial },
        ...(caller.person && { actor: caller.person.reference }),
      })
    },
  )
}

const outcomeRoute = (system: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/messages/{id}/outcome`,
      operationId: 'messageOutcome',
      summary: 'What became of a message.',
      description:
        'A rejection, a dead letter, or the events it led to, however long ago. `known` is false when nothing is known (yet).',
      tags,
      parameters: [
        { name: 'id', in: 'path', description: 'CloudEvents id.', codec: Text },
        {
          name: 'source',
          in: 'query',
          description: 'CloudEvents source, where ids are not unique.',
          codec: Text,
        },
      ],
      responses: { 200: { description: 'What is known.', codec: Outcomes } },
      problems: [],
    },
    async ({ parameters: { id, source } }) => {
      const found = await messageOutcome(system, id, source)
      return isLeft(found) ? left(away(found.left.reason)) : json(found.right)
    },
  )

const noTopic = (name: string, topics: readonly TopicSpec[]): string =>
  `there is no topic ${name}; messages go to ${openTo(topics)}`

const madeByFonds = ({ name }: TopicSpec, topics: readonly TopicSpec[]): string =>
  `${name} is written by Fonds alone, from its own events; messages go to ${openTo(topics)}`

const openTo = (topics: readonly TopicSpec[]): string =>
  topics
    .filter(({ madeBy }) => madeBy !== 'fonds')
    .map(({ name }) => name)
    .join(', ')
