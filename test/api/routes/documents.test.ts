import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { routesOf } from '../../../src/api/create-api.ts'
import { documentedPath, routerPath } from '../../../src/app/documents/route-spec.ts'
import { brokenReferences } from '../../contracts/references.ts'
import { validatorOf } from '../../contracts/schema-agreement.ts'
import { startServer } from '../server.ts'

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { document } = await startServer()
    // It writes into what it validates.
    expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true })
    expect(brokenReferences(document)).toEqual([])
  })

  it('holds all that is served, and nothing else', async () => {
    const { document, system, app } = await startServer()
    const served = await routesOf(system)
    const urls = new Map(served.map(({ spec }) => [documentedPath(spec.path), routerPath(spec.path)]))
    const documented = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => ({ method: method.toUpperCase(), url: urls.get(path)! })),
    )
    expect(documented).toHaveLength(served.length)
    for (const route of documented)
      expect(app.hasRoute({ ...route, method: route.method as 'GET' })).toBe(true)
  })

  it('has examples that its own schemas take', async () => {
    const { document } = await startServer()
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap(
      Object.values,
    ) as Operation[]
    const described = operations.flatMap(({ operationId, parameters, requestBody }) => [
      ...parameters.map((parameter) => ({ ...parameter, name: `${operationId} ${parameter.name}` })),
      ...Object.values(requestBody?.content ?? {}).map((content) => ({ ...content, name: operationId })),
    ])
    const examples = described.filter(({ example }) => example !== undefined)
    expect(examples.length).toBeGreaterThan(10)
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true } })
    for (const { name, schema, example } of examples) expect(ajv.validate(schema, example), name).toBe(true)
  })
})

interface Described {
  readonly name: string
  readonly schema: object
  readonly example?: unknown
}
interface Operation {
  readonly operationId: string
  readonly parameters: readonly Described[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Omit<Described, 'name'>>> }
}

it('the AsyncAPI document holds the topics', async () => {
  const { get } = await startServer()
  const { body } = await get('/api/v1/asyncapi.json')
  expect(Object.keys(body.channels)).toEqual(
    expect.arrayContaining([
      ...['fonds.fixity.content', 'fonds.fixity.events', 'fonds.house.events'],
      ...['fonds.matching.works', 'fonds.matching.graphs', 'fonds.matching.merged', 'fonds.matching.events'],
    ]),
  )
  const actions = Object.fromEntries(
    Object.values<{ action: string; channel: { $ref: string } }>(body.operations).map(
      ({ action, channel }) => [channel.$ref.split('/').at(-1), action],
    ),
  )
  expect(actions).toMatchObject({
    'fonds.matching.works': 'receive',
    'fonds.matching.graphs': 'send',
    'fonds.matching.merged': 'send',
  })
  expect(brokenReferences(body)).toEqual([])
})

describe('schemas of messages', () => {
  it('take their examples', async () => {
    const { get } = await startServer()
    const { topics } = (await get('/api/v1/schemas')).body
    const taken = topics.filter(({ topic }: { topic: string }) => !topic.endsWith('.events'))
    expect(taken).toHaveLength(22)
    for (const { messages } of taken)
      for (const { type, schema, example } of messages) expect(validatorOf(schema)(example), type).toBe(true)
  })

  it('are there for events, as the relay passes them on', async () => {
    const { get } = await startServer()
    const { body } = await get('/api/v1/schemas/fonds.house.events')
    expect(body.messages).toMatchObject([
      { type: 'DeadLettered', schema: { type: 'object' } },
      { type: 'DeadLetterRetried' },
      { type: 'DeadLetterDiscarded' },
      { type: 'MessageRejected' },
      { type: 'GroupsBound' },
      { type: 'NoticeSent' },
      { type: 'RebuildRequested' },
      { type: 'RebuildEnded' },
      { type: 'ProbeRequested' },
      { type: 'ProbeEnded' },
      { type: 'TreeReplaced' },
      { type: 'DifferencesAccepted' },
      { type: 'ViewSealed' },
      { type: 'ReportSealed' },
      { type: 'TreeKeysReplaced' },
      { type: 'StreamsSealed' },
    ])
  })

  it('are there for each topic', async () => {
    const { get } = await startServer()
    const { body } = await get('/api/v1/schemas/fonds.fixity.content')
    expect(body.messages[0]).toMatchObject({
      type: 'content.recorded',
      schema: { title: 'content.recorded' },
    })
    expect(await get('/api/v1/schemas/fonds.nothing')).toMatchObject({
      status: 404,
      body: { code: 'no-such-topic', detail: expect.stringContaining('fonds.fixity.content') },
    })
  })
})
