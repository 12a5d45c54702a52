import type { BatchTask } from '../../domain/fixity/check-task.ts'
import type { BatchObservedMessage } from '../../domain/fixity/messages.ts'
import { type CheckTools, lookThroughPool, type Watch } from './check.ts'
import type { Seen, Wanted } from './look.ts'

interface BatchTools extends Omit<CheckTools, 'content'> {
  /** The store as it was found last. */
  readonly opened: () => CheckTools['content']
  /** Whether what is missing from a store, or cannot be read, says anything of it: not while the store itself is away. */
  readonly isToBeTold: (store: string) => Promise<boolean>
}

/** Bytes that one thread looks at in one go: other threads take the next files of the batch meanwhile. */
const maxBytesOfPart = 32 * 1024 * 1024

/**
 * Checks files together, in as many threads as there are parts. Where a thread dies or hangs, each file that is left of its part is
 * looked at by itself, so that the one that did it is told apart. Returns the message to report. Throws when `signal` aborts, or
 * where the store is away: then there is nothing to report.
 */
export const checkBatch = async (
  { batch, store, files }: BatchTask,
  root: string,
  { clock, worker, pool, opened, isToBeTold }: BatchTools,
  watch: Watch,
): Promise<BatchObservedMessage> => {
  const lookAgain = (file: Wanted) => lookThroughPool(root, file, { pool, content: opened() }, watch)

  const lookAtPart = async (part: readonly Wanted[]): Promise<Observations> => {
    const observed: Observations = []
    const note = (seen: Seen) => {
      observed.push({ path: part[observed.length]!.path, ...seen, observedAt: clock.now() })
    }
    const onSeen = (seen: readonly Seen[]) => seen.forEach(note)
    if ((await pool.lookAtAll({ root, files: part, ...watch, onSeen })) === 'aborted')
      throw watch.signal.reason ?? new Error('the checks were stopped')
    for (const file of part.slice(observed.length)) note(await lookAgain(file))
    return observed
  }
  const all = (await Promise.all(inParts(files).map(lookAtPart))).flat()

  if (all.every(isSound)) return { batch, store, worker, observations: all }
  const isTold = await isToBeTold(store)
  const observations: Observations = []
  for (const [i, one] of all.entries())
    if (isSound(one)) observations.push(one)
    else if (isTold)
      // It may just have come back.
      observations.push(
        one.storage.status === 'missing'
          ? { ...one, ...(await lookAgain(files[i]!)), observedAt: clock.now() }
          : one,
      )
  if (observations.length === 0) throw new Error(`store ${store} is away`)
  return { batch, store, worker, observations }
}

type Observations = BatchObservedMessage['observations']

const inParts = (files: BatchTask['files']): readonly BatchTask['files'][] => {
  const parts: BatchTask['files'][number][][] = []
  let bytes = 0
  for (const file of files) {
    const part = parts.at(-1)
    bytes += file.size
    if (part && bytes <= maxBytesOfPart) part.push(file)
    else {
      parts.push([file])
      bytes = file.size
    }
  }
  return parts
}

/** What is not found may be so because the whole store is away: then nothing is said of the item. */
const isSound = ({ content }: Seen): boolean => content.status === 'read' || content.status === 'changing'
