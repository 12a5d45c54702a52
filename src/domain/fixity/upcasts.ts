import { ofOldAddress } from '../kernel/person.ts'
import type { Checksum } from './checksum.ts'

/* Schema 1 said in free text, where a record comes from, that it is a first reading. */

export const firstReading = 'first reading'

/** Adds its basis to each checksum of a record from a source. */
export const basedOn = (source: string | undefined, checksums: readonly Checksum[]): readonly Checksum[] =>
  source === firstReading
    ? checksums.map((checksum): Checksum => ({ basis: 'first-reading', ...checksum }))
    : checksums

interface Recorded {
  readonly checksums: readonly Checksum[]
  readonly recordedFrom?: string
}

interface Decided {
  readonly evidence: {
    readonly audit: { readonly source?: string; readonly checksums?: readonly Checksum[] }
  }
}

/** Schema 1 knew deletions alone: no name of it was misread. */
export const withoutMisreading = (data: unknown): unknown => data

/** Schema 1 had mail addresses of people in the log. */
export const byReference = {
  ResolutionAssigned: (data: unknown): unknown => {
    const { to } = data as { readonly to?: unknown }
    return typeof to === 'string' ? { ...(data as object), to: ofOldAddress(to) } : data
  },
  ReportSent: (data: unknown): unknown => {
    const { to, refused } = data as Readonly<Record<'to' | 'refused', unknown>>
    return areTexts(to) && areTexts(refused)
      ? { ...(data as object), to: to.map(ofOldAddress), refused: refused.map(ofOldAddress) }
      : data
  },
}

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

/** Upcasts schema 1 to 2. Data of another shape stay unchanged: their codec reports what is wrong. */
export const withBasis = {
  ContentRecorded: (data: unknown): unknown => {
    const { checksums, recordedFrom } = data as Recorded
    return Array.isArray(checksums)
      ? { ...(data as object), checksums: basedOn(recordedFrom, checksums) }
      : data
  },
  FixityDecided: (data: unknown): unknown => {
    const audit = (data as Partial<Decided>).evidence?.audit
    if (!Array.isArray(audit?.checksums)) return data
    const { evidence } = data as Decided
    const words = basedOn(audit.source, audit.checksums)
    return { ...(data as object), evidence: { ...evidence, audit: { ...audit, checksums: words } } }
  },
}
