import type { archives, dossiers, parts, versions, views } from '../../domain/chain/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TablesOf } from '../runtime/projection.ts'

export type ChainTables = TablesOf<typeof views>
export type DossierRow = RowOf<typeof dossiers>
export type VersionRow = RowOf<typeof versions>
export type ArchiveRow = RowOf<typeof archives>
export type PartRow = RowOf<typeof parts>
