import * as t from 'io-ts'
import { describe, expect, it } from 'vitest'
import { NoSchema } from '#src/app/documents/json-schema.ts'
import { openApi } from '#src/app/documents/openapi.ts'
import { contradictionsIn, type RouteSpec, routerPath } from '#src/app/documents/route-spec.ts'
import { NonNegativeInteger, Text } from '#src/domain/kernel/codecs.ts'
import { brokenReferences } from '../../contracts/references.ts'
import { validatorOf } from '../../contracts/schema-agreement.ts'

const info = { title: 'Fonds', version: '1.2.3' }
const query: RouteSpec = {
  method: 'get',
  path: '/views/{view}',
  operationId: 'queryView',
  summary: 'Rows of a view.',
  tags: ['views'],
  parameters: [
    { name: 'view', in: 'path', description: 'Its name.', codec: Text, example: 'fixity_items' },
    { name: 'limit', in: 'query', description: 'Most rows.', codec: NonNegativeInteger },
  ],
  responses: { 200: { description: 'The rows.', codec: t.array(t.UnknownRecord) } },
  problems: [
    { status: 400, code: 'wrong-column', description: 'The view has no such column.' },
    { status: 400, code: 'wrong-value', description: 'The value cannot be compared.' },
    { status: 404, code: 'no-such-view', description: 'No view has that name.' },
  ],
}
const command: RouteSpec = {
  method: 'post',
  path: '/views/{view}',
  operationId: 'rebuildView',
  summary: 'Builds it again.',
  parameters: [{ name: 'view', in: 'path', description: 'Its name.', codec: Text }],
  requestBody: { description: 'Why.', codec: t.type({ reason: Text }), example: { reason: 'a new column' } },
  responses: { 204: { description: 'Under way.' } },
  problems: [],
  permission: 'operate',
}
const watch: RouteSpec = {
  method: 'get',
  path: '/events',
  operationId: 'watch',
  summary: 'Events as they come.',
  parameters: [],
  responses: { 200: { description: 'A stream.', codec: t.UnknownRecord, contentType: 'text/event-stream' } },
  problems: [],
}

describe('the OpenAPI document', () => {
  const document = openApi(info, [query, command, watch])

  it('says what the routes say', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info,
      paths: {
        '/views/{view}': {
          get: {
            operationId: 'queryView',
            tags: ['views'],
            parameters: [
              {
                name: 'view',
                in: 'path',
                required: true,
                schema: { type: 'string', minLength: 1 },
                example: 'fixity_items',
              },
              { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
            ],
            responses: {
              200: {
                content: { 'application/json': { schema: { type: 'array', items: { type: 'object' } } } },
              },
            },
          },
          post: {
            security: [{ token: [] }],
            requestBody: {
              required: true,
              content: {
                'application/json': { schema: { required: ['reason'] }, example: { reason: 'a new column' } },
              },
            },
            responses: { 204: { description: 'Under way.' } },
          },
        },
        '/events': { get: { responses: { 200: { content: { 'text/event-stream': {} } } } } },
      },
    })
    expect(brokenReferences(document)).toEqual([])
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it('says all ways of saying no of one status together', () => {
    const found = document as {
      paths: Record<
        string,
        {
          get: {
            responses: Record<
              string,
              { description: string; content: Record<string, { schema: { allOf: unknown[] } }> }
            >
          }
        }
      >
    }
    const { responses } = found.paths['/views/{view}']!.get
    expect(responses[400]?.description).toContain('`wrong-column`: The view has no such column.')
    const schema = responses[400]?.content['application/problem+json']?.schema
    const validate = validatorOf({ ...schema, allOf: schema?.allOf.slice(1) })
    expect(validate({ code: 'wrong-value' })).toBe(true)
    expect(validate({ code: 'no-such-view' })).toBe(false)
  })

  it.each<[string, RouteSpec[], string]>([
    ['the same route twice', [watch, { ...watch, operationId: 'other' }], 'get /events is there twice'],
    ['the same name twice', [watch, { ...watch, path: '/x' }], 'operation watch is there twice'],
    [
      'a part of the path not described',
      [{ ...query, parameters: [] }],
      'get /views/{view}: {view} is not described',
    ],
    ['a parameter in no path', [{ ...query, path: '/views' }], 'get /views: view is not in the path'],
    ['no response', [{ ...watch, responses: {} }], 'get /events: has no response'],
    [
      'a status with two meanings',
      [{ ...watch, problems: [{ status: 200, code: 'x', description: 'x' }] }],
      'get /events: 200 is both a response and a problem',
    ],
  ])('is not made of %s', (_, routes, fault) => {
    expect(contradictionsIn(routes)).toEqual([fault])
    expect(() => openApi(info, routes)).toThrow(fault)
  })

  it('is not made where one name stands for two schemas', () => {
    const named = (operationId: string, codec: t.Mixed): RouteSpec => ({
      ...query,
      path: `/${operationId}`,
      operationId,
      parameters: [],
      responses: { 200: { description: 'It.', codec, schemaName: 'Same' } },
    })
    const routes = [named('one', t.type({ a: Text })), named('other', t.type({ a: Text }))]
    expect(openApi(info, routes)).toHaveProperty('components.schemas.Same')
    expect(() => openApi(info, [...routes, named('third', Text)])).toThrow('two answers are named Same')
  })

  it('is not made of a codec without a schema', () => {
    const opaque = t.refinement(t.string, () => true, 'opaque')
    expect(() =>
      openApi(info, [{ ...watch, responses: { 200: { description: '', codec: opaque } } }]),
    ).toThrow(NoSchema)
  })
})

it('a path as the router writes it', () => {
  expect(routerPath('/views/{view}/rows/{key}')).toBe('/views/:view/rows/:key')
})
