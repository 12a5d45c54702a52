import { Text } from '../../domain/kernel/codecs.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { fixityReport } from '../../projections/fixity/report.ts'
import { projectionsOf } from '../../system/system.ts'
import { type ApiContext, v1 } from '../context.ts'
import { FixityReportCodec } from '../fixity-report-codec.ts'
import { LogPoint } from '../http/parameters.ts'
import { refuse } from '../http/refuse.ts'
import { preferred } from '../http/representation.ts'
import { json, type Route, route, text } from '../http/route.ts'
import { busy } from '../past-views.ts'
import { reportPage } from '../report-page.ts'

/** JSON for whoever does not mind: browsers do, and say so. */
const formats = ['application/json', 'text/html'] as const

/** What people print and keep. */
export const reportRoutes = ({ system, askPast }: ApiContext): readonly Route[] => [
  route(
    {
      method: 'get',
      path: `${v1}/reports/fixity`,
      operationId: 'fixityReport',
      summary: 'Is the content still what it was? Counts, findings and failures, by store and folder.',
      description: 'JSON; for who asks for HTML, as browsers do, one page that stands alone.',
      tags: ['reports'],
      parameters: [
        { name: 'store', in: 'query', description: 'This store alone.', codec: Text, example: 'main' },
        {
          name: 'prefix',
          in: 'query',
          description: 'Paths that start so.',
          codec: Text,
          example: 'letters/',
        },
        { name: 'asOf', in: 'query', description: 'A time or a position of the past.', codec: LogPoint },
      ],
      responses: {
        200: {
          description: 'The report.',
          codec: FixityReportCodec,
          schemaName: 'FixityReport',
          others: [{ contentType: 'text/html' }],
        },
      },
      problems: [
        { status: 406, code: 'no-such-format', description: 'None of the accepted formats is made here.' },
        { status: 503, code: 'view-not-ready', description: 'The views it is made from were never folded.' },
        busy,
      ],
    },
    ({ parameters: { store, prefix, asOf }, headers, signal }) => {
      const format = preferred(headers.accept, formats)
      if (!format) return refuse(406, 'no-such-format', `accept: ask for one of ${formats.join(', ')}`)
      const scope = { ...(store && { store }), ...(prefix && { prefix }) }
      const report = (views: ViewStore, at: string) => {
        if (!views.shape('fixity-items'))
          return refuse(
            503,
            'view-not-ready',
            'the fixity views were never folded yet; is a process with the role projections running?',
          )
        const found = fixityReport(views, at, scope)
        const headers = { vary: 'accept' }
        return format === 'text/html'
          ? text(reportPage(found), format, { headers })
          : json(found, { headers })
      }
      const now = system.clock.now()
      if (!asOf) return report(system.viewStore, now)
      const fixity = projectionsOf(system.workflows).filter(({ name }) => name === 'fixity')
      return askPast(fixity, asOf, signal, (views) => {
        const live = views.live('fixity')
        const then = 'time' in asOf ? asOf.time : live && views.checkpoint(live).time
        return report(views, then ?? now)
      })
    },
  ),
]
