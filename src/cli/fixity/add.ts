import { basename, resolve } from 'node:path'
import { startRoles, workerSettings } from '../../app/roles.ts'
import { settle } from '../../app/settle.ts'
import type { System } from '../../app/system.ts'
import { orThrow } from '../../async/unavailable.ts'
import { contentTopic } from '../../domain/fixity/messages.ts'
import { storeDecider } from '../../domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '../../domain/fixity/store/events.ts'
import { items } from '../../domain/fixity/views.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import { wantedAlgorithms } from '../../workers/fixity/check.ts'
import { createHashPool, type HashPool } from '../../workers/fixity/hash-pool.ts'
import { type Surveyed, survey } from '../../workers/fixity/survey.ts'
import { type Report, reportOnTopic } from '../../workers/runtime/report-on-topic.ts'
import { askCommand } from '../ask-command.ts'
import { type AddSummary, emptySummary, note } from './add-summary.ts'

interface AddOptions {
  readonly store?: string
  readonly intervalDays?: number
  readonly lagSeconds?: number
  readonly replica?: boolean
  readonly actor: string
}

const batchSize = 200

/** Records a folder tree: manifests are the audit log's word, the rest gets a first reading. Memory stays flat. */
export const addFolder = async (
  system: System,
  folder: string,
  options: AddOptions,
  onProgress: (step: { readonly items: number }) => void,
  signal: AbortSignal,
): Promise<AddSummary> => {
  const root = resolve(folder)
  const content = system.openContent(root)
  const store = options.store ?? storeNameOf(root)
  await registerStore(system, store, root, options)
  const running = await startRoles(system, ['processors', 'reactions', 'projections'])
  const pool = createHashPool({
    threads: workerSettings(system).threads,
    contentStoreModule: system.contentStoreModule,
    ...(system.config.bytesPerSecond && { throttle: { bytesPerSecond: system.config.bytesPerSecond } }),
  })
  try {
    await settle(system)
    const summary = emptySummary(store, root)
    const recordOne = async (found: Surveyed) => {
      const report = await recordOf(system, summary, pool, found, signal)
      onProgress({ items: 1 })
      return report
    }
    let batch: Surveyed[] = []
    const flush = async () => {
      const reports = (await Promise.all(batch.map(recordOne))).filter((report) => report !== undefined)
      batch = []
      if (reports.length > 0)
        await reportOnTopic(system, contentTopic, `fonds://add/${options.actor}`, reports)
      signal.throwIfAborted()
    }
    for await (const found of survey(content)) {
      batch.push(found)
      if (batch.length >= batchSize) await flush()
    }
    await flush()
    await settle(system)
    return summary
  } finally {
    await pool.close()
    await running.stop()
  }
}

/** A known store keeps its rules: they are changed by `fixity.change-policy`, with a reason. */
const registerStore = async (
  system: System,
  store: string,
  root: string,
  { actor, intervalDays, lagSeconds, replica }: AddOptions,
): Promise<void> => {
  const load = () => system.states.load(storeDecider, storeStream(store))
  const { state: known } = await orThrow(load, `store ${store} cannot be read`)
  const policy = {
    intervalDays: intervalDays ?? known?.policy.intervalDays ?? defaultPolicy.intervalDays,
    // No other producer records a folder that is added here: no record can be in flight.
    lagSeconds: lagSeconds ?? known?.policy.lagSeconds ?? 0,
    replica: replica ?? known?.policy.replica ?? false,
  }
  const by = { actor, reason: `fonds fixity add ${root}` }
  await askCommand(system, 'fixity.register-store', { store, kind: 'folder', root, ...policy }, by)
}

const recordOf = async (
  system: System,
  summary: AddSummary,
  pool: HashPool,
  found: Surveyed,
  signal: AbortSignal,
): Promise<Report | undefined> => {
  const { store, root } = summary
  switch (found.kind) {
    case 'skipped':
      return note(summary, found.path, found.reason)
    case 'problem':
      return note(summary, found.path, found.line ? `line ${found.line}: ${found.reason}` : found.reason)
    case 'missing': {
      if (knownChecksums(system, store, found.path)) return skip(summary)
      summary.missing++
      note(summary, found.path, found.note)
      return recorded({
        store,
        path: found.path,
        checksums: found.checksums,
        recordedFrom: found.recordedFrom,
      })
    }
    case 'recorded': {
      const known = knownChecksums(system, store, found.path)
      if (known) {
        if (!agree(known, found.checksums))
          note(
            summary,
            found.path,
            `${found.recordedFrom} says otherwise than the record, which stays; see fixity.accept`,
          )
        return skip(summary)
      }
      summary.recorded++
      const { path, checksums, size, recordedFrom } = found
      return recorded({ store, path, checksums, size, recordedFrom })
    }
    case 'unread': {
      if (knownChecksums(system, store, found.path)) return skip(summary)
      const { path, size, version } = found
      const outcome = await pool.hash({ root, path, version, algorithms: wantedAlgorithms([]), signal })
      // Nothing is known of it: the next run reads it.
      if (outcome.status === 'aborted') return undefined
      if (outcome.status === 'read') {
        summary.baseline++
        summary.bytesRead += outcome.bytes
        return recorded({
          store,
          path,
          size: outcome.bytes,
          checksums: outcome.checksums,
          recordedFrom: 'first reading',
        })
      }
      summary.unreadable++
      note(
        summary,
        path,
        outcome.status === 'failed' ? outcome.error : `the first reading found it ${outcome.status}`,
      )
      return recorded({ store, path, size, checksums: [], recordedFrom: 'first reading' })
    }
  }
}

const recorded = (data: unknown): Report => ({ type: 'content.recorded', data })

const skip = (summary: AddSummary): undefined => {
  summary.known++
}

interface Word {
  readonly algorithm: string
  readonly value: string
}

/** What is recorded of an item that is expected; undefined for one that is new. */
const knownChecksums = ({ viewStore }: System, store: string, path: string): readonly Word[] | undefined => {
  const known = row(viewStore, items, is('store', store), is('path', path), is('removed', 0))
  return known?.recordedAt ? known.checksums : undefined
}

const agree = (known: readonly Word[], said: readonly Word[]): boolean =>
  said.every(({ algorithm, value }) =>
    known.every((word) => word.algorithm !== algorithm || word.value === value),
  )

/** The folder's name as a store name: `/srv/My Archive` → `My-Archive`. */
const storeNameOf = (root: string): string =>
  basename(root)
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64) || 'store'
