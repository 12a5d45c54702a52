import * as t from 'io-ts'
import { info } from '../../app/documents/about.ts'
import { asyncApi } from '../../app/documents/asyncapi.ts'
import { openApi } from '../../app/documents/openapi.ts'
import { schemasOf, TopicSchemas } from '../../app/documents/topic-schemas.ts'
import { eventTopicsOf } from '../../app/event-topics.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { topicsOf } from '../../workflows/workflow-model.ts'
import { type ApiContext, v1 } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { documented } from '../http/register.ts'
import { json, type Route, route } from '../http/route.ts'
import { noSuchTopic, topicInPath } from '../path-names.ts'

const tags = ['documents']

/** Schemas, OpenAPI and AsyncAPI, made from the lists that the server runs on. `all`: all routes, these among them. */
export const documentRoutes = ({ system }: ApiContext, all: () => readonly Route[]): readonly Route[] => {
  const { workflows } = system
  const topics = schemasOf(workflows)
  return [
    schemasRoute(topics),
    topicSchemasRoute(topics, workflows),
    openApiRoute(all),
    asyncApiRoute(workflows),
  ]
}

const schemasRoute = (topics: readonly TopicSchemas[]): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/schemas`,
      operationId: 'listSchemas',
      summary: 'JSON Schemas of all messages and events, by topic.',
      tags,
      parameters: [],
      responses: { 200: { description: 'The schemas.', codec: t.type({ topics: t.array(TopicSchemas) }) } },
      problems: [],
    },
    () => json({ topics }),
  )

const topicSchemasRoute = (topics: readonly TopicSchemas[], workflows: readonly Workflow[]): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/schemas/{topic}`,
      operationId: 'topicSchemas',
      summary: 'JSON Schemas of what stands on a topic.',
      tags,
      parameters: [topicInPath(workflows)],
      responses: { 200: { description: 'The schemas.', codec: TopicSchemas } },
      problems: [noSuchTopic],
    },
    ({ parameters }) => {
      const topic = topics.find((one) => one.topic === parameters.topic)
      const known = topics.map((one) => one.topic).join(', ')
      return topic
        ? json(topic)
        : refuse(404, 'no-such-topic', `there is no topic ${parameters.topic}; there are ${known}`, {
            path: 'topic',
          })
    },
  )

const openApiRoute = (all: () => readonly Route[]): Route =>
  documentRoute(
    'openapi.json',
    { operationId: 'openApi', summary: 'The OpenAPI document of these routes.', standard: 'OpenAPI 3.1.' },
    () =>
      openApi(
        info,
        all().map(({ spec }) => documented(spec)),
      ),
  )

const asyncApiRoute = (workflows: readonly Workflow[]): Route =>
  documentRoute(
    'asyncapi.json',
    { operationId: 'asyncApi', summary: 'The AsyncAPI document of the topics.', standard: 'AsyncAPI 3.0.' },
    () => asyncApi(info, topicsOf(workflows), eventTopicsOf(workflows)),
  )

const documentRoute = (
  path: string,
  {
    standard,
    ...described
  }: { readonly operationId: string; readonly summary: string; readonly standard: string },
  make: () => object,
): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/${path}`,
      ...described,
      tags,
      parameters: [],
      responses: { 200: { description: standard, codec: t.UnknownRecord } },
      problems: [],
    },
    () => json(make()),
  )
