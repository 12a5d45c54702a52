import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Document } from '../../domain/matching/merged/document.ts'
import { WorkId } from '../../domain/matching/work.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { generationOf, mergedRow } from '../../projections/matching/reading.ts'
import { type ApiContext, v1 } from '../context.ts'
import { Flag } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route } from '../http/route.ts'
import { asking, noSuchWork, notReady, work } from './asking.ts'

const path = `${v1}/matching/works/{work}/document`

/** What a catalogue shows for a work: of the live generation, and with no version in it (M19). */
export const readerRoute = (context: ApiContext): Route => {
  const ask = asking(context)
  return route(
    {
      method: 'get',
      path,
      operationId: 'workDocument',
      summary: 'What readers get for a work: the merged work, or the one it redirects to.',
      description:
        'A redirect names the work to ask for instead, in the document and as the canonical `Link`. `follow=true` ' +
        'answers with that one at once: `work` then says which it is.',
      tags: ['matching'],
      parameters: [
        work,
        { name: 'follow', in: 'query', description: 'Answers with the target of a redirect.', codec: Flag },
      ],
      responses: {
        200: { description: 'The document.', codec: t.type({ work: WorkId, document: Document }) },
      },
      problems: [
        noSuchWork,
        {
          status: 404,
          code: 'not-visible',
          description: 'The work is hidden, and so are all that it is one with.',
        },
        { status: 410, code: 'deleted', description: 'The record of the work was deleted.' },
        notReady,
      ],
    },
    async ({ parameters: { work, follow = false }, signal }) => {
      const found = await ask({ works: [work], signal }, (views) => shownFor(views, work, follow))
      if (isLeft(found)) return found
      const { document } = found.right
      switch (document.kind) {
        case 'deleted':
          return refuse(410, 'deleted', 'the record of this work was deleted')
        case 'hidden':
          return refuse(404, 'not-visible', 'this work is hidden, and so are all that it is one with')
        case 'redirect':
          return json(found.right, {
            headers: {
              link: `<${path.replace('{work}', encodeURIComponent(document.to))}>; rel="canonical"`,
            },
          })
        case 'merged':
          return json(found.right)
      }
    },
  )
}

interface Shown {
  readonly work: string
  readonly document: Document
}

const shownFor = (views: ViewStore, work: string, follow: boolean): Shown | undefined => {
  const shown = documentOf(views, work)
  if (!follow || shown?.document.kind !== 'redirect') return shown
  return documentOf(views, shown.document.to) ?? shown
}

const documentOf = (views: ViewStore, work: string): Shown | undefined => {
  const row = mergedRow(views, generationOf(views, {}), work)
  return row && { work, document: row.document as Document }
}
