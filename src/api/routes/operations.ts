import * as t from 'io-ts'
import { type ApiContext, v1 } from '../context.ts'
import { refuse } from '../http/refuse.ts'
import { json, type Route, route, text } from '../http/route.ts'
import { plainPage, plainPolicy } from '../page/plain-page.ts'
import { Readiness, readiness } from '../readiness.ts'

const tags = ['operation']

/** Health and metrics for monitoring, and the page for people who open the address. */
export const operationRoutes = (context: ApiContext): readonly Route[] => {
  // A browser that comes this far at `/` would have got the page, had it been built.
  const plain = async (isMissing: boolean) =>
    text(await plainPage(context.system, isMissing), 'text/html', {
      headers: { 'content-security-policy': plainPolicy },
    })
  return [
    route(
      {
        method: 'get',
        path: '/',
        operationId: 'index',
        summary:
          'A page with links to all there is; browsers get the page that is more than that, where it was built.',
        tags,
        parameters: [],
        responses: { 200: { description: 'HTML.', contentType: 'text/html', codec: t.string } },
        problems: [],
      },
      ({ headers: { accept = '' } }) => plain(/^text\/html\b/.test(accept)),
    ),
    route(
      {
        method: 'get',
        path: v1,
        operationId: 'links',
        summary: 'A plain page with links to all there is.',
        tags,
        parameters: [],
        responses: { 200: { description: 'HTML.', contentType: 'text/html', codec: t.string } },
        problems: [],
      },
      () => plain(false),
    ),
    route(
      {
        method: 'get',
        path: '/metrics',
        operationId: 'metrics',
        summary: 'Metrics in Prometheus text.',
        tags,
        parameters: [],
        responses: { 200: { description: 'Metrics.', contentType: 'text/plain', codec: t.string } },
        problems: [],
      },
      async () => text(await context.system.metrics(), 'text/plain; version=0.0.4'),
    ),
    route(
      {
        method: 'get',
        path: '/healthz',
        operationId: 'health',
        open: true,
        summary: 'The process is alive.',
        tags,
        parameters: [],
        responses: { 200: { description: 'It is.', codec: t.type({ alive: t.literal(true) }) } },
        problems: [],
      },
      () => json({ alive: true }),
    ),
    route(
      {
        method: 'get',
        path: '/readyz',
        operationId: 'readiness',
        open: true,
        summary: 'Stores answer and views are up to date.',
        tags,
        parameters: [],
        responses: { 200: { description: 'How far each projection is.', codec: Readiness } },
        problems: [
          {
            status: 503,
            code: 'not-ready',
            description: '`behind` lists what is away or lags, in sentences.',
          },
        ],
      },
      async () => {
        const { behind, ...ready } = await readiness(context)
        return behind.length > 0 ? refuse(503, 'not-ready', behind.join('; '), { behind }) : json(ready)
      },
    ),
  ]
}
