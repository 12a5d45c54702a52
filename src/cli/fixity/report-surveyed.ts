import type { System } from '../../app/system.ts'
import type { Checksum } from '../../domain/fixity/checksum.ts'
import { items } from '../../domain/fixity/views.ts'
import { digests, unusable } from '../../domain/fixity/witness.ts'
import { is, row } from '../../domain/kernel/read-views.ts'
import { wantedAlgorithms } from '../../workers/fixity/check.ts'
import type { HashOutcome } from '../../workers/fixity/hash-messages.ts'
import type { HashPool } from '../../workers/fixity/hash-pool.ts'
import type { Surveyed } from '../../workers/fixity/survey.ts'
import type { Report } from '../../workers/runtime/report-on-topic.ts'
import { type AddSummary, note } from './add-summary.ts'

interface Adding {
  readonly system: System
  /** Counts the findings. */
  readonly summary: AddSummary
  readonly pool: HashPool
  readonly signal: AbortSignal
}

type Found<Kind extends Surveyed['kind']> = Extract<Surveyed, { readonly kind: Kind }>

/** The report of something that the survey found; undefined where it is known already, or is no content. */
export const reportOf = async (adding: Adding, found: Surveyed): Promise<Report | undefined> => {
  const { summary } = adding
  switch (found.kind) {
    case 'skipped':
      return note(summary, found.path, found.reason)
    case 'problem':
      summary.problems++
      return note(summary, found.path, found.line ? `line ${found.line}: ${found.reason}` : found.reason)
    case 'missing':
      return missing(adding, found)
    case 'recorded':
      return fromManifest(adding, found)
    case 'unread':
      return firstReading(adding, found)
  }
}

const missing = (adding: Adding, found: Found<'missing'>): Report | undefined => {
  const { summary } = adding
  const { path, checksums, recordedFrom } = found
  if (knownChecksums(adding, path)) return known(summary)
  summary.missing++
  note(summary, path, found.note)
  return recorded({ store: summary.store, path, checksums, recordedFrom })
}

const fromManifest = async (adding: Adding, found: Found<'recorded'>): Promise<Report | undefined> => {
  const { summary } = adding
  const { path, checksums, size, recordedFrom } = found
  const before = knownChecksums(adding, path)
  if (before) {
    if (!agree(before, checksums))
      note(summary, path, `${recordedFrom} says otherwise than the record, which stays; see fixity.accept`)
    return known(summary)
  }
  summary.recorded++
  const { store } = summary
  if (digests({ checksums }).length > 0) {
    if (unusable({ checksums }).length > 0) summary.unusable++
    return recorded({ store, path, checksums, size, recordedFrom })
  }
  summary.unusable++
  const outcome = await read(adding, found)
  if (outcome.status === 'aborted') return undefined
  if (outcome.status === 'read') {
    summary.bytesRead += outcome.bytes
    const words = [...checksums, ...baselineOf(outcome.checksums)]
    return recorded({ store, path, checksums: words, size: outcome.bytes, recordedFrom })
  }
  summary.unreadable++
  note(summary, path, whyUnread(outcome))
  return recorded({ store, path, checksums, size, recordedFrom })
}

const firstReading = async (adding: Adding, found: Found<'unread'>): Promise<Report | undefined> => {
  const { summary } = adding
  const { path, size } = found
  if (knownChecksums(adding, path)) return known(summary)
  const { store } = summary
  const recordedFrom = 'first reading'
  const outcome = await read(adding, found)
  switch (outcome.status) {
    case 'aborted':
      // Not recorded: the next run reads it.
      return undefined
    case 'read': {
      const { bytes, checksums } = outcome
      summary.baseline++
      summary.bytesRead += bytes
      return recorded({ store, path, size: bytes, checksums: baselineOf(checksums), recordedFrom })
    }
    default:
      summary.unreadable++
      note(summary, path, whyUnread(outcome))
      return recorded({ store, path, size, checksums: [], recordedFrom })
  }
}

const read = (
  { summary: { root }, pool, signal }: Adding,
  { path, version }: { readonly path: string; readonly version: string },
): Promise<HashOutcome> => pool.hash({ root, path, version, algorithms: wantedAlgorithms([]), signal })

const baselineOf = (checksums: readonly Checksum[]): readonly Checksum[] =>
  checksums.map((checksum) => ({ ...checksum, basis: 'first-reading' }))

const whyUnread = (outcome: Exclude<HashOutcome, { status: 'read' | 'aborted' }>): string =>
  outcome.status === 'failed' ? outcome.error : `the first reading found it ${outcome.status}`

const recorded = (data: unknown): Report => ({ type: 'content.recorded', data })

const known = (summary: AddSummary): undefined => {
  summary.known++
}

/** What is recorded of an item that is expected; undefined for one that is new. */
const knownChecksums = (
  { system: { viewStore }, summary: { store } }: Adding,
  path: string,
): readonly Checksum[] | undefined => {
  const item = row(viewStore, items, is('store', store), is('path', path), is('removed', 0))
  return item?.recordedAt ? item.checksums : undefined
}

const agree = (known: readonly Checksum[], said: readonly Checksum[]): boolean =>
  digests({ checksums: said }).every(({ algorithm, value }) =>
    digests({ checksums: known }).every((one) => one.algorithm !== algorithm || one.value === value),
  )
