import type { Logger } from 'pino'
import { errorMessage } from '../../../async/errors.ts'
import { stepsTopic } from '../../../domain/ingest/step-messages.ts'
import { drops } from '../../../domain/ingest/views.ts'
import { clip } from '../../../domain/kernel/clip.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Broker } from '../../../ports/broker.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { reportOnTopic } from '../../runtime/report-on-topic.ts'

interface Tools {
  readonly broker: Broker
  readonly clock: Clock
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly log: Logger
}

const maxReasonLength = 1000

/** The place as the views have it. */
export const dropOf = (viewStore: Tools['viewStore'], place: string) =>
  rowsIfFolded(viewStore, drops, { where: [is('place', place)], limit: 1 })[0]

/** Logs why something was not submitted, once while it lasts, and reports that to the log, and that it is over. */
export const createDropReports = ({ log, viewStore, ...tools }: Tools, source: string) => {
  const logged = new Map<string, string | undefined>()
  return async (place: string, whole: string | undefined): Promise<void> => {
    const reason = whole && clip(whole, maxReasonLength)
    if (reason !== undefined && logged.get(place) !== reason)
      log.warn({ place }, `dropped submissions: ${reason}`)
    logged.set(place, reason)
    // The views may be behind: a report that changes nothing has no effect.
    if (reason === (dropOf(viewStore, place)?.reason ?? undefined)) return
    try {
      const data = { place, ...(reason !== undefined && { reason }) }
      await reportOnTopic(tools, stepsTopic, source, [{ type: 'drops.listed', data }])
    } catch (error) {
      log.warn({ place }, `a report on dropped submissions is made again later: ${errorMessage(error)}`)
    }
  }
}
