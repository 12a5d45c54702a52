import type { ReportEvent } from '../../domain/fixity/reports/events.ts'
import type { Handlers } from '../runtime/projection.ts'
import type { FixityTables } from './tables.ts'

export const reportHandlers: Handlers<ReportEvent, FixityTables> = {
  ReportScheduled: () => {},
  ReportSent: ({ schedule, since, until, store, subject, isWell, to, refused, at }, _, tables) =>
    tables['fixity-reports'].put({
      ...{ schedule, until, since, store: store ?? null, subject, isWell: isWell ? 1 : 0 },
      ...{ to, refused, sentAt: at },
    }),
}
