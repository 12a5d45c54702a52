import { MachineFailure } from '../../async/machine-failure.ts'
import type { BatchTask } from '../../domain/fixity/check-task.ts'
import type { BatchObservedMessage } from '../../domain/fixity/messages.ts'
import { type CheckTools, examineInPool, isSound, type Watch } from './check.ts'
import type { Seen, Wanted } from './examine.ts'

interface BatchTools extends Omit<CheckTools, 'content'> {
  /** The store as it was last found. */
  readonly opened: () => CheckTools['content']
  /** Whether missing or unreadable content is a finding: not while the store itself is unavailable. */
  readonly isReportable: (store: string) => Promise<boolean>
}

/**
 * Bytes that one thread checks in one job: other threads take the next files of the batch meanwhile. As many times as
 * many where the thread has several readings under way: large files, too, then wait on the network together.
 */
const maxBytesOfPart = 32 * 1024 * 1024

/** An object takes the thread that reads and digests it no longer than this one, which claims and records. */
const maxLightBytes = 64 * 1024

/**
 * Checks files in parallel, in as many threads as there are parts. Only the file at which a thread dies or hangs has
 * failed: the rest of its part is checked without it. Returns the message to report. Throws when `signal` aborts, if
 * the store is unavailable, or this machine can read nothing (`MachineFailure`): then there is nothing to report.
 */
export const checkBatch = async (
  { batch, store, files }: BatchTask,
  root: string,
  { clock, worker, pool, opened, isReportable }: BatchTools,
  watch: Watch,
): Promise<BatchObservedMessage> => {
  const examineAgain = (file: Wanted) => examineInPool(root, file, { pool, content: opened() }, watch)

  const broken = new Set<string>()
  const found = new Map<string, Observations[number]>()
  const note = ({ path }: Wanted, seen: Seen) =>
    void found.set(path, { path, ...seen, observedAt: clock.now() })

  const { readsAtOnce = 1 } = opened()
  const examinePart = async (part: BatchTask['files'], oneByOne = false): Promise<void> => {
    let seen = 0
    const onSeen = (some: readonly Seen[]) => {
      for (const one of some) note(part[seen++]!, one)
    }
    const isLight = readsAtOnce > 1 && part.every(({ size }) => size <= maxLightBytes)
    const outcome = await pool.examineAll({ root, files: part, oneByOne, isLight, ...watch, onSeen })
    if (outcome.status === 'aborted') throw watch.signal.reason ?? new Error('the checks were stopped')
    if (outcome.status === 'machine') throw new MachineFailure(outcome.reason)
    if (outcome.status !== 'broken') return
    const { at, isOneOfSeveral, error } = outcome
    if (at === undefined) {
      // Their store, or the thread, could not be opened: no file caused it.
      for (const file of part) note(file, await examineAgain(file))
      return
    }
    if (!isOneOfSeveral) {
      const culprit = part[at]!
      broken.add(culprit.path)
      note(culprit, { content: { status: 'failed', error }, storage: { status: 'missing' } })
    }
    // The stall timer starts again for the others.
    watch.onProgress(0)
    const left = part.filter(({ path }) => !found.has(path))
    if (left.length > 0) await examinePart(left, oneByOne || isOneOfSeveral)
  }
  const maxBytes = maxBytesOfPart * readsAtOnce
  await Promise.all(inParts(files, maxBytes).map((part) => examinePart(part)))
  const all = files.map(({ path }) => found.get(path)!)

  if (all.every(isSound)) return { batch, store, worker, observations: all }
  const mustReport = await isReportable(store)
  const observations: Observations = []
  for (const [i, one] of all.entries())
    if (isSound(one)) observations.push(one)
    else if (mustReport)
      // It may just have come back.
      observations.push(
        one.storage.status === 'missing' && !broken.has(one.path)
          ? { ...one, ...(await examineAgain(files[i]!)), observedAt: clock.now() }
          : one,
      )
  if (observations.length === 0) throw new Error(`store ${store} is away`)
  return { batch, store, worker, observations }
}

type Observations = BatchObservedMessage['observations']

const inParts = (files: BatchTask['files'], maxBytes: number): readonly BatchTask['files'][] => {
  const parts: BatchTask['files'][number][][] = []
  let bytes = 0
  for (const file of files) {
    const part = parts.at(-1)
    bytes += file.size
    if (part && bytes <= maxBytes) part.push(file)
    else {
      parts.push([file])
      bytes = file.size
    }
  }
  return parts
}
