import { waitUntil } from '../../../async/wait-until.ts'
import { versions } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { Step } from './step.ts'

/** Views that another process folds may move on without a word here. */
const lookMillis = 500

/** I31: our own inventory is the views. It is recorded once questions answer with the version. */
export const record: Step<'recording'> = async (
  { job, found },
  { viewStore, clock, onViewChange },
  { signal, progress, jobIn },
) => {
  const { ark, version } = found.version === undefined ? (await jobIn('recording')).found : found
  await waitUntil(
    () => {
      progress()
      const where = [is('object', ark ?? ''), is('version', version ?? 0)]
      const [row] = rowsIfFolded(viewStore, versions, { where, limit: 1 })
      return { isDone: row?.job === job }
    },
    { clock, signal, onChange: onViewChange, pollMillis: lookMillis },
  )
  signal.throwIfAborted()
  return {}
}
