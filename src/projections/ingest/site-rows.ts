import type { IngestTables } from './tables.ts'

/** Records a move of a job or batch whose files are at one site alone. `site` empty: its files are at no site alone. */
export const noteMove = (tables: IngestTables, lastMove: string, site = ''): void => {
  if (site !== '') tables['ingest-sites'].put({ site, lastMove })
}
