import type { InvalidLine } from '../invalid-line.ts'

/* Names and lines of the files of a bag, RFC 8493. */

/** A folder with this file is a bag. */
export const declarationFile = 'bagit.txt'
export const fetchFile = 'fetch.txt'
export const payloadFolder = 'data/'

interface ManifestName {
  /** True for a manifest of tag files; false for one of the payload. */
  readonly isTag: boolean
  /** As written in the name. */
  readonly algorithm: string
}

/** Parses `manifest-sha256.txt`, `tagmanifest-md5.txt`, …, of any algorithm; undefined for any other name. */
export const parseManifestName = (name: string): ManifestName | undefined => {
  const [, tag, algorithm] = /^(tag)?manifest-(.+)\.txt$/i.exec(name) ?? []
  return algorithm === undefined ? undefined : { isTag: tag !== undefined, algorithm }
}

export const isPayloadPath = (path: string): boolean => path.startsWith(payloadFolder)

/** True for a path that leads out of the bag on one system or another (RFC 8493 §5.1). */
export const isUnsafePath = (path: string): boolean =>
  path.startsWith('/') || path.startsWith('~') || /^[a-z]:[\\/]/i.test(path) || path.split('/').includes('..')

/**
 * Parses a line of a manifest, with its path as written; undefined for any other. Some tools put an asterisk before the
 * path, as md5sum does.
 */
export const bagManifestLine = (
  line: string,
): { readonly digest: string; readonly path: string } | undefined => {
  const [, digest, path] = /^([0-9a-f]+)[ \t]+\*?(.+)$/is.exec(line) ?? []
  return digest === undefined || path === undefined ? undefined : { digest, path }
}

/** Decodes %0D, %0A and %25; any other percent sign stands for itself (§2.1.3). */
export const decodeBagPath = (path: string): string =>
  path.replaceAll(/%(0d|0a|25)/gi, (code) => decodeURIComponent(code))

/** Decodes %0D and %0A alone, all that was ever encoded before 1.0. */
export const decodeLineEnds = (path: string): string =>
  path.replaceAll(/%(0d|0a)/gi, (code) => decodeURIComponent(code))

/** The path of a line of a bag: decoded, and as written if it holds a percent sign. */
export const writtenBagPath = (written: string): { readonly path: string; readonly written?: string } =>
  written.includes('%') ? { path: decodeBagPath(written), written } : { path: written }

export interface FetchLine {
  readonly url: string
  readonly path: string
  /** The path as written, if it holds a percent sign. */
  readonly written?: string
  /** Bytes; undefined if the bag does not state them. */
  readonly size?: number
}

/** Parses `URL LENGTH PATH`, with `-` for an unknown length; undefined for an empty line. */
export const parseFetchLine = (line: string): FetchLine | InvalidLine | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const [, url, length, path] = /^(\S+)[ \t]+(\d+|-)[ \t]+(.+)$/s.exec(line) ?? []
  if (url === undefined || path === undefined)
    return { error: 'is no line of things to fetch; wants "<URL> <length or -> <path>"' }
  const size = Number(length)
  return { url, ...writtenBagPath(path), ...(Number.isSafeInteger(size) && { size }) }
}

/**
 * Returns true if a manifest lists a file twice, which it must not (§2.1.3). Before 1.0 the same digest again
 * was allowed.
 */
export const isTwice = (before: string | undefined, digest: string, isOld: boolean): boolean =>
  before !== undefined && !(isOld && before === digest.toLowerCase())
