import { isLeft } from 'fp-ts/lib/Either.js'
import { componentAnswer } from '../../projections/matching/component.ts'
import { asOf } from '../ask-views.ts'
import { type ApiContext, v1 } from '../context.ts'
import { wholeNumber } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { preferred } from '../http/representation.ts'
import { json, type Route, route, text } from '../http/route.ts'
import { busy } from '../past-views.ts'
import { Component } from './answer-codecs.ts'
import { asking, generation, inWords, noSuchGeneration, noSuchWork, notReady, work } from './asking.ts'
import { toDot } from './dot.ts'
import { picture } from './svg.ts'
import { ofGeneration } from './unknown.ts'

const formats = ['application/json', 'image/svg+xml', 'text/vnd.graphviz'] as const

/** The graph that a work is in: to draw, or as numbers and names. */
export const graphRoute = (context: ApiContext): Route => {
  const ask = asking(context)
  return route(
    {
      method: 'get',
      path: `${v1}/matching/graphs/{work}`,
      operationId: 'matchingGraph',
      summary: 'The works that are one with a work, and the links that say so.',
      description: 'As JSON, as a picture (SVG), or as DOT to draw it elsewhere, by the Accept header.',
      tags: ['matching'],
      parameters: [
        work,
        asOf,
        generation,
        {
          name: 'most',
          in: 'query',
          description: 'Most works; of more, those nearest to the one asked for.',
          codec: wholeNumber(1000, 1),
        },
      ],
      responses: {
        200: {
          description: 'The graph.',
          codec: Component,
          others: [{ contentType: 'image/svg+xml' }, { contentType: 'text/vnd.graphviz' }],
        },
      },
      problems: [
        noSuchWork,
        noSuchGeneration,
        { status: 406, code: 'no-such-format', description: 'None of the accepted formats is made here.' },
        {
          status: 422,
          code: 'not-to-be-drawn',
          description: 'It is too large or too tangled for a picture.',
        },
        notReady,
        busy,
      ],
    },
    async ({ parameters, headers: { accept }, signal }) => {
      const format = preferred(accept, formats)
      if (!format) return refuse(406, 'no-such-format', `accept: ask for one of ${formats.join(', ')}`)
      const { work, asOf, generation, most } = parameters
      const answer = await ask({ works: [work], generations: [generation], asOf, signal }, (views) =>
        componentAnswer(views, work, { ...ofGeneration(generation), ...(most && { most }) }),
      )
      if (isLeft(answer)) return answer
      const headers = { vary: 'accept' }
      if (format === 'application/json') return json(answer.right, { headers })
      const then = asOf && inWords(asOf)
      if (format === 'text/vnd.graphviz') return text(toDot(answer.right, then), format, { headers })
      const svg = await picture(answer.right, then)
      return isLeft(svg)
        ? refuse(422, 'not-to-be-drawn', svg.left)
        : text(svg.right, format, { headers: { ...headers, 'content-security-policy': onlyLookedAt } })
    },
  )
}

/** Opened by itself, a picture can do nothing but be seen. */
const onlyLookedAt = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
