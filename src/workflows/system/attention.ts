import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is } from '../../domain/kernel/read-views.ts'
import { letters } from '../../domain/kernel/views.ts'
import { type Cause, counted } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'

export const systemCauses = ({ viewStore }: Pick<WorkflowContext, 'viewStore'>): readonly Cause[] =>
  counted(
    viewStore.shape(letters.name) ? countRows(viewStore, letters, is('status', 'waiting')) : 0,
    (count) => ({
      key: 'dead-letters',
      says: `${plural(count, 'message')} could not be used`,
      todo: '`fonds dead-letters list` says why; `fonds dead-letters retry` or `discard` settles one',
    }),
  )
