import { asFirstReading, type Checksum } from '../../../domain/fixity/checksum.ts'
import type { ContentObservation } from '../../../domain/fixity/messages.ts'
import { firstReading } from '../../../domain/fixity/upcasts.ts'
import { digests, unusable } from '../../../domain/fixity/witness.ts'
import type { Exclusion } from '../../../workers/fixity/exclusion.ts'
import type { Surveyed } from '../../../workers/fixity/survey.ts'
import type { Report } from '../../../workers/runtime/report-on-topic.ts'
import type { KnownChecksums } from '../known-checksums.ts'
import { type AddSummary, note, noteNotThere } from './add-counts.ts'

interface Adding {
  /** Counts the findings. */
  readonly summary: AddSummary
  /** First readings, by path: of what `needsReading`, where they were not stopped. */
  readonly readings: ReadonlyMap<string, ContentObservation>
  /** Applies to files that no manifest names, and that are not recorded yet. */
  readonly isExcluded: Exclusion
  /** Recorded checksums of the queried paths. */
  readonly known: KnownChecksums
}

type Found<Kind extends Surveyed['kind']> = Extract<Surveyed, { readonly kind: Kind }>

/** Returns the report of a surveyed entry; undefined if it is recorded already, or is no content. */
export const reportOf = (adding: Adding, found: Surveyed): Report | undefined => {
  const { summary } = adding
  switch (found.kind) {
    case 'skipped':
      if (found.mayBeContent) summary.unlisted++
      return note(summary, found.path, found.reason)
    case 'problem':
      summary.problems++
      return note(summary, found.path, found.line ? `line ${found.line}: ${found.reason}` : found.reason)
    case 'bag':
      summary.bags[found.isComplete ? 'complete' : 'incomplete']++
      return found.isComplete ? undefined : note(summary, found.path, 'this bag is not as RFC 8493 wants it')
    case 'missing':
      return missing(adding, found)
    case 'recorded':
      return fromManifest(adding, found)
    case 'unread':
      return baseline(adding, found)
  }
}

const missing = (adding: Adding, found: Found<'missing'>): Report | undefined => {
  const { summary } = adding
  const { path, checksums, recordedFrom } = found
  if (adding.known.has(path)) return countKnown(summary)
  noteNotThere(summary, { path, from: recordedFrom, note: found.note })
  return recorded({ store: summary.store, path, checksums, recordedFrom })
}

const fromManifest = (adding: Adding, found: Found<'recorded'>): Report | undefined => {
  const { summary } = adding
  const { path, checksums, size, recordedFrom } = found
  const before = adding.known.get(path)
  if (before) {
    if (!agree(before, checksums))
      note(summary, path, `${recordedFrom} says otherwise than the record, which stays; see fixity.accept`)
    return countKnown(summary)
  }
  summary.recorded++
  if (unusable({ checksums }).length > 0) summary.unusable++
  return digests({ checksums }).length > 0
    ? recorded({
        store: summary.store,
        path,
        checksums,
        // The size in an inventory may be that of earlier bytes.
        ...(!summary.inventory && { size }),
        recordedFrom,
      })
    : withFirstReading(adding, found, checksums, recordedFrom)
}

const baseline = (adding: Adding, found: Found<'unread'>): Report | undefined => {
  const { summary } = adding
  if (adding.known.has(found.path)) return countKnown(summary)
  if (adding.isExcluded(found.path)) {
    summary.excluded++
    return undefined
  }
  return withFirstReading(adding, found, [], firstReading)
}

/** True for a file whose record is its bytes as they are now: no manifest has a checksum of it that can be used. */
export const needsReading = (
  { known, isExcluded }: Pick<Adding, 'known' | 'isExcluded'>,
  found: Surveyed,
): found is Found<'recorded' | 'unread'> =>
  (found.kind === 'unread' && !known.has(found.path) && !isExcluded(found.path)) ||
  (found.kind === 'recorded' &&
    !known.has(found.path) &&
    digests({ checksums: found.checksums }).length === 0)

/** Reports the checksums of manifests, and the current digests of the bytes. */
const withFirstReading = (
  { summary, readings }: Adding,
  { path, size }: Found<'recorded' | 'unread'>,
  words: readonly Checksum[],
  recordedFrom: string,
): Report | undefined => {
  const { store } = summary
  const content = readings.get(path)
  // It was stopped: the next run reads it.
  if (!content) return undefined
  if (content.status === 'read') {
    if (words.length === 0) summary.baseline++
    summary.bytesRead += content.size
    const all = [...words, ...asFirstReading(content.checksums)]
    return recorded({ store, path, size: content.size, checksums: all, recordedFrom })
  }
  if (summary.inventory && content.status === 'missing' && words.length === 0) {
    summary.vanished = (summary.vanished ?? 0) + 1
    return note(summary, path, 'is in the inventory, and gone since')
  }
  summary.unreadable++
  note(summary, path, whyUnread(content))
  return recorded({ store, path, size, checksums: words, recordedFrom })
}

const whyUnread = (content: Exclude<ContentObservation, { status: 'read' }>): string => {
  if (content.status === 'failed') return content.error
  if (content.status === 'not-attempted') return 'is archived: its bytes cannot be read until it is restored'
  return `the first reading found it ${content.status}`
}

const recorded = (data: unknown): Report => ({ type: 'content.recorded', data })

const countKnown = (summary: AddSummary): undefined => {
  summary.known++
}

const agree = (known: readonly Checksum[], stated: readonly Checksum[]): boolean => {
  const before = digests({ checksums: known })
  return digests({ checksums: stated }).every(({ algorithm, value }) =>
    before.every((one) => one.algorithm !== algorithm || one.value === value),
  )
}
