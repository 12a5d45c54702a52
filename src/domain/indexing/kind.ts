import * as t from 'io-ts'

/**
 * What is read from a file: of content its records, of a metadata file the duplicates that its crawl log names. `unknown`: its
 * name does not say; it is listed, and not indexed before somebody says what it is (W2).
 */
export const Kind = t.keyof({ content: null, metadata: null, unknown: null }, 'kind')
export type Kind = t.TypeOf<typeof Kind>

/** Of files that are to be indexed. */
export const KnownKind = t.keyof({ content: null, metadata: null }, 'kind')
export type KnownKind = t.TypeOf<typeof KnownKind>

const archive = /\.(w?arc(\.gz)?|warc\.zst)$/i
const metadata = /-metadata-\d+\.(w?arc(\.gz)?|warc\.zst)$/i
const unfinished = /^\.|\.(open|tmp|part)$/i

/** By its name alone, whatever the case. */
export const kindOf = (name: string): Kind =>
  metadata.test(name) ? 'metadata' : archive.test(name) ? 'content' : 'unknown'

/** Somebody still writes it under this name, or hides it: it gets another name when it is whole. */
export const isUnfinished = (name: string): boolean => unfinished.test(name)
