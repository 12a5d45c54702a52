import { Readable } from 'node:stream'
import * as t from 'io-ts'
import { baseForm, isBase } from '../../app/premis/base.ts'
import { contentTypes, premisDocument } from '../../app/premis/document.ts'
import { premisOf } from '../../app/premis/export.ts'
import { relatedThings } from '../../app/related-things.ts'
import type { System } from '../../app/system.ts'
import { annotate } from '../../domain/kernel/annotation.ts'
import { Text } from '../../domain/kernel/codecs.ts'
import { Flag } from '../../domain/kernel/text-codecs.ts'
import { type ApiContext, v1 } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { type Route, route, stream } from '../http/route.ts'

const Format = t.keyof({ xml: null, rdf: null }, 'xml or rdf')
const Base = annotate(t.refinement(t.string, isBase, baseForm), { type: 'string', format: 'uri' })

/** The history of one thing for other archives. */
export const premisRoutes = ({ system }: ApiContext): readonly Route[] => [premisRoute(system)]

const premisRoute = (system: System): Route =>
  route(
    {
      method: 'get',
      path: `${v1}/premis/{id}`,
      operationId: 'premis',
      summary: 'The history of one thing, its parts and their events, as PREMIS 3.',
      description:
        'As far as the views are folded. A store comes with all of its items, a batch with its jobs and objects. The answer is written as it is read: one that ends early is cut off, and is not well-formed.',
      tags: ['events'],
      parameters: [
        {
          name: 'id',
          in: 'path',
          description: 'What people call it.',
          codec: Text,
          example: 'main/letters/1912/03.tif',
        },
        {
          name: 'related',
          in: 'query',
          description: 'With the things whose lives concern it, without their parts; not unless said.',
          codec: Flag,
        },
        { name: 'format', in: 'query', description: '`xml` unless said; `rdf` is Turtle.', codec: Format },
        {
          name: 'base',
          in: 'query',
          description: `For \`rdf\`: ${baseForm}, which those of objects and agents begin with. Relative unless said.`,
          codec: Base,
          example: 'https://archive.example/',
        },
      ],
      responses: {
        200: {
          description: 'A document of PREMIS 3.',
          codec: t.string,
          contentType: 'application/xml',
          others: [{ contentType: 'text/turtle', codec: t.string }],
        },
      },
      problems: [
        { status: 404, code: 'nothing-known', description: 'Nothing ever happened to it.' },
        {
          status: 404,
          code: 'nothing-exported',
          description: 'Nothing that happened to it is a preservation event.',
        },
      ],
    },
    async ({ parameters: { id, related = false, format = 'xml', base } }) => {
      const others = related ? (await relatedThings(system, id)).map((one) => one.id) : []
      const found = await premisOf(system, id, others)
      if (!('kind' in found))
        return stream(
          Readable.from(premisDocument(found, format, base), { objectMode: false }),
          contentTypes[format],
        )
      return found.kind === 'unknown'
        ? refuse(404, 'nothing-known', `nothing is known of ${id}`)
        : refuse(404, 'nothing-exported', `nothing that happened to ${id} is a preservation event`)
    },
  )
