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

/**
 * Checks files together, in one thread. Where that thread dies or hangs, each that is left is looked at by itself, so that the one
 * that did it is told apart. Returns the message to report. Throws when `signal` aborts, or where the store is away: then
 * there is nothing to report.
 */
export const checkBatch = async (
  { batch, store, files }: BatchTask,
  root: string,
  { clock, worker, pool, opened, isToBeTold }: BatchTools,
  watch: Watch,
): Promise<BatchObservedMessage> => {
  const all: BatchObservedMessage['observations'] = []
  const note = ({ path }: Wanted, seen: Seen) => {
    all.push({ path, ...seen, observedAt: clock.now() })
  }
  const lookAgain = (file: Wanted) => lookThroughPool(root, file, { pool, content: opened() }, watch)

  const onSeen = (seen: readonly Seen[]) => {
    for (const each of seen) note(files[all.length]!, each)
  }
  if ((await pool.lookAtAll({ root, files, ...watch, onSeen })) === 'aborted')
    throw watch.signal.reason ?? new Error('the checks were stopped')
  for (const file of files.slice(all.length)) note(file, await lookAgain(file))

  if (all.every(isSound)) return { batch, store, worker, observations: all }
  const isTold = await isToBeTold(store)
  const observations: BatchObservedMessage['observations'] = []
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

/** What is not found may be so because the whole store is away: then nothing is said of the item. */
const isSound = ({ content }: Seen): boolean => content.status === 'read' || content.status === 'changing'
