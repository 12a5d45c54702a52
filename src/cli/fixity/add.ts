import { basename, resolve } from 'node:path'
import { contentTopic } from '../../domain/fixity/messages.ts'
import { type Report, reportOnTopic } from '../../system/report-on-topic.ts'
import { settle, startRoles, workerSettings } from '../../system/roles.ts'
import type { System } from '../../system/system.ts'
import { wantedAlgorithms } from '../../workers/fixity/check.ts'
import { createHashPool, type HashPool } from '../../workers/fixity/hash-pool.ts'
import { type Surveyed, survey } from '../../workers/fixity/survey.ts'
import { bytes, count, visible } from '../output/text.ts'
import { askCommand } from './ask.ts'

export interface AddOptions {
  readonly store?: string
  readonly intervalDays?: number
  readonly lagSeconds?: number
  readonly replica?: boolean
  readonly actor: string
}

/** What came of each thing that the survey met. */
export interface AddSummary {
  readonly store: string
  readonly root: string
  /** Recorded with the word of a manifest. */
  recorded: number
  /** Recorded with a first reading as the baseline. */
  baseline: number
  /** Known before, nothing new. */
  known: number
  /** In a manifest, but not there: recorded, so that the check finds them missing. */
  missing: number
  /** Could not be read now: recorded without a checksum, so that they are expected. */
  unreadable: number
  /** No content, or a manifest line that cannot be used. */
  readonly notes: { readonly path: string; readonly note: string }[]
  notesLeftOut: number
  bytesRead: number
}

const batchSize = 200
const mostNotes = 1000

/** Records a folder tree: manifests are the audit log's word, the rest gets a first reading. Memory stays flat. */
export const addFolder = async (
  system: System,
  folder: string,
  options: AddOptions,
  onProgress: (step: { readonly items: number; readonly bytes: number }) => void,
): Promise<AddSummary> => {
  const root = resolve(folder)
  const content = system.openContent(root)
  const store = options.store ?? storeNameOf(root)
  await askCommand(
    system,
    'fixity.register-store',
    {
      store,
      kind: 'folder',
      root,
      // Nobody else records this folder's content, so there is no record in flight to wait for.
      lagSeconds: options.lagSeconds ?? 0,
      ...(options.intervalDays && { intervalDays: options.intervalDays }),
      ...(options.replica && { replica: true }),
    },
    { actor: options.actor, reason: `fonds fixity add ${folder}` },
  )
  const running = await startRoles(system, ['processors', 'reactions', 'projections'])
  const pool = createHashPool({
    threads: workerSettings(system).threads,
    contentStoreModule: system.contentStoreModule,
    ...(system.config.bytesPerSecond && { throttle: { bytesPerSecond: system.config.bytesPerSecond } }),
  })
  try {
    await settle(system)
    const summary: AddSummary = {
      store,
      root,
      recorded: 0,
      baseline: 0,
      known: 0,
      missing: 0,
      unreadable: 0,
      notes: [],
      notesLeftOut: 0,
      bytesRead: 0,
    }
    let batch: Promise<Report | undefined>[] = []
    const flush = async () => {
      const reports = (await Promise.all(batch)).filter((report) => report !== undefined)
      batch = []
      if (reports.length > 0)
        await reportOnTopic(system, contentTopic, `fonds://add/${options.actor}`, reports)
    }
    for await (const found of survey(content)) {
      batch.push(
        recordOf(system, summary, pool, found).then((report) => {
          onProgress({ items: 1, bytes: 'size' in found ? found.size : 0 })
          return report
        }),
      )
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

const recordOf = async (
  system: System,
  summary: AddSummary,
  pool: HashPool,
  found: Surveyed,
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
      const outcome = await pool.hash({ root, path, version, algorithms: wantedAlgorithms([]) })
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

const note = (summary: AddSummary, path: string, text: string): undefined => {
  if (summary.notes.length < mostNotes) summary.notes.push({ path, note: text })
  else summary.notesLeftOut++
}

interface Word {
  readonly algorithm: string
  readonly value: string
}

/** What is recorded of an item that is expected; undefined for one that is new. */
const knownChecksums = ({ viewStore }: System, store: string, path: string): readonly Word[] | undefined => {
  const [row] = viewStore.query('fixity-items', {
    where: [
      { column: 'store', is: '=', value: store },
      { column: 'path', is: '=', value: path },
      { column: 'removed', is: '=', value: 0 },
    ],
  })
  return row?.recordedAt ? (row.checksums as readonly Word[]) : undefined
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

/** The summary in sentences. */
export const summaryLines = (summary: AddSummary): string[] => [
  `Store ${summary.store} (${visible(summary.root)})`,
  `  ${count(summary.recorded)} recorded from manifests`,
  `  ${count(summary.baseline)} recorded from a first reading (${bytes(summary.bytesRead)})`,
  ...(summary.known > 0 ? [`  ${count(summary.known)} known already`] : []),
  ...(summary.missing > 0 ? [`  ${count(summary.missing)} in a manifest but not there`] : []),
  ...(summary.unreadable > 0 ? [`  ${count(summary.unreadable)} could not be read`] : []),
  ...summary.notes.slice(0, 20).map(({ path, note: text }) => `  ! ${visible(path)}: ${visible(text)}`),
  ...(summary.notes.length + summary.notesLeftOut > 20
    ? [
        `  ! and ${count(summary.notes.length + summary.notesLeftOut - 20)} more notes (all of them in a pipe)`,
      ]
    : []),
]
