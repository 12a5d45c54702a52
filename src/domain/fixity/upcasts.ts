import type { Checksum } from './checksum.ts'

/* Schema 1 said in free text, where a record comes from, that it is a first reading. */

export const firstReading = 'first reading'

/** The words of a record from a source, each with what it stands on. */
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

/** What turns schema 1 into 2. What is not of that shape stays as it is: its codec says what is wrong with it. */
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
