import type { IngestTables } from './tables.ts'

/** Something that a site alone has files of has moved. Empty: no site alone has them. */
export const noteMove = (tables: IngestTables, lastMove: string, site = ''): void => {
  if (site !== '') tables['ingest-sites'].put({ site, lastMove })
}
