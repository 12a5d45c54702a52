import { waitUntil } from '../../../async/wait-until.ts'
import { versions } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import { type Step, StepFailure } from './step.ts'

/** Views that another process folds may change without a notification here. */
const pollMillis = 500
/** By then the process that reported the version has also updated the object. */
const patienceMillis = 30_000

/** I31: our own inventory is the views. A version is recorded once queries return it. */
export const record: Step<'recording'> = async (
  { job, found },
  { viewStore, clock, onViewChange, services: { identifiers } },
  { signal, progress, aside, jobIn },
) => {
  const { ark = '', version = 0 } = found.version === undefined ? (await jobIn('recording')).found : found
  const isShown = () => {
    progress()
    const where = [is('object', ark), is('version', version)]
    const [row] = rowsIfFolded(viewStore, versions, { where, limit: 1 })
    return { isDone: row?.job === job }
  }
  const waiting = { clock, signal, onChange: onViewChange, pollMillis: pollMillis }
  while (!(await aside(waitUntil(isShown, { ...waiting, patienceMillis }))).isDone) {
    signal.throwIfAborted()
    // I32: the views lag, or the object does not know or did not accept the version.
    const { versions: all } = await identifiers.knownObject(ark)
    const known = all.find((one) => one.version === version)?.job
    if (known !== job)
      throw new StepFailure(
        `${ark} knows version ${version} as ${known === undefined ? 'none' : `one of job ${known}`}; submit the object again`,
      )
  }
  signal.throwIfAborted()
  return {}
}
