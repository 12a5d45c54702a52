import type { RecordedEvent } from '../../domain/kernel/event.ts'
import type { AnomalyRow, ResearchTables, Subject } from './tables.ts'

export type AnomalyKind =
  | 'outside-lease'
  | 'late'
  | 'unknown-lease'
  | 'no-lease'
  | 'repeat'
  | 'not-the-holder'
  | 'unknown-episode'
  | 'unknown-clip'
  | 'duplicate-media'
  | 'media-changed'

type Key = 'kind' | 'episode' | 'clip' | 'lease' | 'researcher'

export type Anomaly = { readonly kind: AnomalyKind; readonly at: string; readonly says: string } & {
  readonly [Part in Exclude<Key, 'kind'>]?: string | undefined
}

/** One row, counted, for all anomalies about the same thing: a researcher that repeats a mistake is one line. */
export const noteAnomaly = (tables: ResearchTables, event: RecordedEvent, anomaly: Anomaly): void => {
  const { kind, at, says, episode = '', clip = '', lease = '', researcher = '' } = anomaly
  const before = tables['research-anomalies'].get(kind, episode, clip, lease, researcher)
  const row: AnomalyRow = {
    kind,
    episode,
    clip,
    lease,
    researcher,
    times: (before?.times ?? 0) + 1,
    since: before?.since ?? at,
    at,
    position: Number(event.position),
    says,
  }
  tables['research-anomalies'].put(row)
}

/** Ends an anomaly. */
export const endAnomaly = (
  tables: ResearchTables,
  kind: 'unknown-episode' | 'unknown-clip' | 'duplicate-media',
  subject: Subject,
  id: string,
): void => {
  const key = [kind, subject === 'episode' ? id : '', subject === 'clip' ? id : '', '', ''] as const
  if (tables['research-anomalies'].get(...key)) tables['research-anomalies'].delete(...key)
}
