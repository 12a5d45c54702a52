import { hostname } from 'node:os'
import { v7 as uuid } from 'uuid'
import { observationsTopic } from '../domain/fixity/messages.ts'
import { SECOND } from '../domain/kernel/time.ts'
import type { ContentStore } from '../ports/content-store.ts'
import { type CheckTask, checkQueues } from '../processors/fixity/claims.ts'
import { check } from '../workers/fixity/check.ts'
import { createHashPool } from '../workers/fixity/hash-pool.ts'
import { itemPace } from '../workers/runtime/item-pace.ts'
import { startWorkman } from '../workers/runtime/workman.ts'
import { reportOnTopic } from './report-on-topic.ts'
import type { RunningWorker, System, WorkerKind, WorkerOptions } from './system.ts'

/** Reads the bytes of folder stores and reports what it found. Any number may run, in any number of processes. */
export const fixityChecker: WorkerKind = {
  kind: 'fixity',
  description: 'checks content: claims what is due, reads and digests it, reports on the observations topic',
  start: (system, options) => startChecker(system, options),
}

const startChecker = (system: System, options: WorkerOptions): RunningWorker => {
  const { config, clock, execute, viewStore, telemetry, log } = system
  const worker = `fixity@${hostname()}/${process.pid}/${uuid().slice(-6)}`
  const source = `fonds://${worker}`
  const stores = folderStores(system)
  const pool = createHashPool({
    threads: options.threads,
    contentStoreModule: system.contentStoreModule,
    stallMillis: config.stallSeconds * SECOND,
    ...(options.bytesPerSecond && { throttle: { bytesPerSecond: options.bytesPerSecond } }),
  })

  const report = async (data: unknown) => {
    await reportOnTopic(system, observationsTopic, source, [{ type: 'content.observed', data }])
  }

  const perform = async (
    { item, checksums, fence }: CheckTask,
    { signal, progress }: { signal: AbortSignal; progress: () => void },
  ) => {
    const store = stores.open(item.store)
    if (!store) throw new Error(`the folder of store ${item.store} cannot be opened`)
    let seen = 0
    const onProgress = (bytes: number) => {
      progress()
      // A reading that starts over counts its bytes again from none.
      const more = bytes >= seen ? bytes - seen : bytes
      telemetry.count('bytes_read', { worker: 'fixity' }, more)
      seen = bytes
    }
    const job = { item, root: store.root, checksums, fence }
    const found = await check(job, { content: store.content, pool, clock, worker }, { signal, onProgress })
    if (found.content.status === 'read' && found.content.size > seen) onProgress(found.content.size)
    await report(found)
  }

  const reportFailure = ({ item, fence }: CheckTask, error: string) =>
    report({
      ...item,
      content: { status: 'failed', error },
      storage: { status: 'missing' },
      observedAt: clock.now(),
      worker,
      fence,
    })

  const workman = startWorkman<CheckTask>({
    name: 'fixity',
    queues: checkQueues({
      execute,
      viewStore,
      clock,
      worker,
      stores: stores.readable,
      timeoutMillis: config.claimSeconds * SECOND,
      reportFailure,
    }),
    perform,
    hands: options.hands,
    stallMillis: (config.stallSeconds + 30) * SECOND,
    backoff: { minMillis: config.idleMinSeconds * SECOND, maxMillis: config.idleMaxSeconds * SECOND },
    ...(options.itemsPerSecond && { pace: itemPace(options.itemsPerSecond, clock) }),
    onNewWork: options.onNewWork,
    clock,
    telemetry,
    log,
  })

  return {
    name: worker,
    busy: workman.busy,
    stop: async (graceMillis) => {
      await workman.stop(graceMillis)
      await pool.close()
    },
  }
}

interface OpenStore {
  readonly root: string
  readonly content: ContentStore
}

/** The folder stores that this machine can open; others are left to workers that can. */
const folderStores = ({ viewStore, openContent, log }: System) => {
  const opened = new Map<string, OpenStore>()
  const complained = new Set<string>()

  const open = (name: string, root: string): OpenStore | undefined => {
    const known = opened.get(name)
    if (known?.root === root) return known
    try {
      const store = { root, content: openContent(root) }
      opened.set(name, store)
      complained.delete(name)
      return store
    } catch (error) {
      if (!complained.has(name)) log.warn({ store: name, root }, (error as Error).message)
      complained.add(name)
      return undefined
    }
  }

  return {
    open: (name: string) => opened.get(name),
    readable: (): readonly string[] => {
      // Before the first fold no store is known.
      if (!viewStore.shape('fixity-stores')) return []
      return viewStore
        .query('fixity-stores', { where: [{ column: 'kind', is: '=', value: 'folder' }] })
        .filter((row) => open(row.store as string, row.root as string))
        .map((row) => row.store as string)
    },
  }
}
