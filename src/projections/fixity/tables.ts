import type { items, views } from '../../domain/fixity/views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import type { TablesOf } from '../runtime/projection.ts'

export type FixityTables = TablesOf<typeof views>
export type ItemRow = RowOf<typeof items>
