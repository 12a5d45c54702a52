import * as t from 'io-ts'

/**
 * The parts of a file that are read: records of a content file, or the duplicates that the crawl log in a metadata file
 * names. `unknown`: cannot be derived from its name; the file is listed, and not indexed until somebody gives its kind
 * (W2).
 */
export const Kind = t.keyof({ content: null, metadata: null, unknown: null }, 'kind')
export type Kind = t.TypeOf<typeof Kind>

/** Kinds of files that are to be indexed. */
export const KnownKind = t.keyof({ content: null, metadata: null }, 'kind')
export type KnownKind = t.TypeOf<typeof KnownKind>

const archive = /\.(w?arc(\.gz)?|warc\.zst|wacz)$/i
const metadata = /-metadata-\d+\.(w?arc(\.gz)?|warc\.zst)$/i
const openArchive = /^[^.].*\.(w?arc(\.gz)?|warc\.zst)\.open$/i
const unfinished = /^\.|\.(open|tmp|part)$/i

/** Derives the kind from the name alone, ignoring case. */
export const kindOf = (name: string): Kind =>
  metadata.test(name) ? 'metadata' : archive.test(name) ? 'content' : 'unknown'

/** True if the file is still being written under this name, or hidden: it is renamed when it is complete. */
export const isUnfinished = (name: string): boolean => unfinished.test(name)

/** True for the name that harvesters give an archive file while they write it. A harvester that crashed leaves it so. */
export const isOpenArchive = (name: string): boolean => openArchive.test(name)
