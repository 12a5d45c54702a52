import { typedMoment } from '../shell/time-machine/moment.ts'

/* What a person types into the box: a first character may say of which kind it is. */

const kindsOf = {
  '>': ['commands'],
  '#': ['ingest-batches', 'ingest-jobs'],
  '/': ['fixity-stores', 'fixity-items', 'fixity-folders', 'indexing-files', 'ingest-files'],
  '@': ['events'],
} as const

export interface Wanted {
  /** Empty: nothing is asked. */
  readonly text: string
  /** Kinds of the server; absent: all. */
  readonly kind?: string[]
  /** Whether pages of this page are looked at, too. */
  readonly hasPages: boolean
  /** A moment to show the archive as of. */
  readonly moment?: string
}

export const wantedBy = (typed: string): Wanted => {
  const text = typed.trim()
  const kind = kindsOf[text[0] as keyof typeof kindsOf]
  // An absolute path begins with a slash of its own.
  const rest = /^\/[^/]+\//.test(text) ? text : text.slice(1).trim()
  const moment = text.startsWith('@') || !kind ? momentIn(text.replace(/^@/, '')) : undefined
  return {
    text: kind ? rest : text,
    ...(kind && { kind: [...kind] }),
    hasPages: !kind,
    ...(moment !== undefined && { moment }),
  }
}

/** A number alone is taken for an event, unless an `@` stands before it. */
const momentIn = (text: string): string | undefined =>
  /^\d{1,18}$/.test(text.trim()) ? undefined : typedMoment(text)
