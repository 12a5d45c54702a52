import { isDeepStrictEqual } from 'node:util'
import type { DocumentInfo } from './asyncapi.ts'
import { closedSchemaOf, type JsonSchema, schemaOf } from './json-schema.ts'
import { Problem, problemType } from './problem.ts'
import {
  type BodySpec,
  contradictionsIn,
  documentedPath,
  type ProblemSpec,
  type ResponseSpec,
  type RouteSpec,
} from './route-spec.ts'

/** The OpenAPI 3.1 document of the routes. Throws on routes that contradict themselves or each other: a bug. */
export const openApi = (
  info: DocumentInfo,
  routes: readonly RouteSpec[],
): Readonly<Record<string, unknown>> => {
  const contradictions = contradictionsIn(routes)
  if (contradictions.length > 0) throw new Error(`routes cannot be documented: ${contradictions.join('; ')}`)
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = documentedPath(route.path)
    paths[path] = { ...paths[path], [route.method]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info,
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    paths,
    components: {
      schemas: { Problem: schemaOf(Problem), ...namedSchemas(routes) },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'Needed by whatever has it here, once a token is set.',
        },
      },
    },
  }
}

/** Throws where one name stands for two schemas. */
const namedSchemas = (routes: readonly RouteSpec[]) => {
  const schemas = new Map<string, JsonSchema>()
  for (const { codec, schemaName } of routes.flatMap(({ responses }) => Object.values(responses))) {
    if (!codec || !schemaName) continue
    const schema = schemaOf(codec)
    if (!isDeepStrictEqual(schemas.get(schemaName) ?? schema, schema))
      throw new Error(`two answers are named ${schemaName}, and differ: give one of them another schemaName`)
    schemas.set(schemaName, schema)
  }
  return Object.fromEntries(schemas)
}

const operation = (route: RouteSpec) => ({
  operationId: route.operationId,
  summary: route.summary,
  ...(route.description !== undefined && { description: route.description }),
  ...(route.tags && { tags: route.tags }),
  ...(!route.open && { security: [{ token: [] }] }),
  parameters: route.parameters.map((parameter) => ({
    name: parameter.name,
    in: parameter.in,
    description: parameter.description,
    required: parameter.in === 'path' || parameter.required === true,
    schema: schemaOf(parameter.codec),
    ...exampleOf(parameter),
  })),
  ...(route.requestBody && {
    requestBody: {
      description: route.requestBody.description,
      required: true,
      content: contentOf(route.requestBody, isPlainJson(route.requestBody) ? closedSchemaOf : schemaOf),
    },
  }),
  responses: {
    ...Object.fromEntries(
      Object.entries(route.responses).map(([status, response]) => [status, responseObject(response)]),
    ),
    ...problemResponses(route.problems),
  },
})

const responseObject = (response: ResponseSpec) => ({
  description: response.description,
  ...((response.codec ?? response.contentType) && { content: contentOf(response) }),
})

/** The server refuses such a body with a field that its codec does not name. */
const isPlainJson = ({ contentType }: BodySpec): boolean => contentType === undefined

const contentOf = (
  {
    codec,
    schemaName,
    contentType = 'application/json',
    others = [],
    ...rest
  }: Omit<ResponseSpec, 'description'>,
  schema = schemaOf,
): Readonly<Record<string, unknown>> => ({
  [contentType]: {
    ...(codec && { schema: schemaName ? { $ref: `#/components/schemas/${schemaName}` } : schema(codec) }),
    ...exampleOf(rest),
  },
  ...Object.assign({}, ...others.map((other) => contentOf(other))),
})

const exampleOf = ({ example }: { readonly example?: unknown }) => (example === undefined ? {} : { example })

/** One response a status, naming all its codes. */
const problemResponses = (problems: readonly ProblemSpec[]) =>
  Object.fromEntries(
    [...Map.groupBy(problems, ({ status }) => status)].map(([status, same]) => [
      status,
      {
        description: same
          .map(({ code, description }) => (code ? `\`${code}\`: ${description}` : description))
          .join('\n\n'),
        content: { [problemType]: { schema: problemSchema(same) } },
      },
    ]),
  )

const problemSchema = (problems: readonly ProblemSpec[]) => {
  const any = { $ref: '#/components/schemas/Problem' }
  const codes = problems.flatMap(({ code }) => code ?? [])
  return codes.length < problems.length
    ? any
    : { allOf: [any, { type: 'object', properties: { code: { enum: [...new Set(codes)] } } }] }
}
