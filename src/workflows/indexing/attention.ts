import { files } from '../../domain/indexing/views.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { countRows, is } from '../../domain/kernel/read-views.ts'
import { type Cause, counted } from '../cause.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { indexingContext } from './context.ts'
import { lostLines } from './lost-lines.ts'
import type { IndexingConfig } from './settings.ts'

export const indexingCauses = async (context: WorkflowContext<IndexingConfig>): Promise<readonly Cause[]> => [
  ...parkedFiles(context),
  ...(await lostLines(indexingContext(context))),
]

const parkedFiles = ({ viewStore }: Pick<WorkflowContext, 'viewStore'>): readonly Cause[] =>
  counted(viewStore.shape(files.name) ? countRows(viewStore, files, is('state', 'parked')) : 0, (count) => ({
    key: 'parked/indexing',
    says: `${plural(count, 'archive file')} could not be indexed and ${count === 1 ? 'is' : 'are'} parked`,
    todo: '`fonds query indexing-files --where state=parked` says why; `fonds do indexing.rescue repository=… name=…` tries one again',
  }))
