import * as E from 'fp-ts/lib/Either.js'
import { algorithmName } from '../../domain/fixity/checksum.ts'
import { type ManifestLine, manifestLine } from './manifest.ts'

/* BagIt, RFC 8493: what its files mean. */

/** A folder with this file is a bag. */
export const declarationFile = 'bagit.txt'
export const fetchFile = 'fetch.txt'

/** The algorithm of `manifest-sha256.txt`, `tagmanifest-md5.txt`, …; undefined for any other file. */
export const bagManifest = (name: string): string | undefined => {
  const algorithm = /^(?:tag)?manifest-([a-z0-9-]+)\.txt$/i.exec(name)?.[1]
  return algorithm && algorithmName(algorithm)
}

/** Undefined for an empty line. Some tools put an asterisk before the path, as md5sum does. */
export const parseBagLine = (line: string, algorithm: string): E.Either<string, ManifestLine> | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const [, digest, path] = /^([0-9a-f]+)[ \t]+\*?(.+)$/is.exec(line) ?? []
  if (digest === undefined || path === undefined)
    return E.left('is no manifest line; wants "<digest> <path>"')
  return manifestLine(algorithm, digest, decodeBagPath(path))
}

/** Only CR, LF and the percent sign are ever encoded; any other percent sign stands for itself. */
export const decodeBagPath = (path: string): string =>
  path.replaceAll(/%(0d|0a|25)/gi, (code) => decodeURIComponent(code))

interface ToFetch {
  readonly url: string
  readonly path: string
  /** Bytes; undefined where the bag does not know. */
  readonly size?: number
}

/** `URL LENGTH PATH`, the length `-` where it is not known; undefined for an empty line. */
export const parseFetchLine = (line: string): E.Either<string, ToFetch> | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const [, url, length, path] = /^(\S+)[ \t]+(\d+|-)[ \t]+(.+)$/s.exec(line) ?? []
  if (url === undefined || path === undefined)
    return E.left('is no line of things to fetch; wants "<URL> <length or -> <path>"')
  const size = Number(length)
  return E.right({ url, path: decodeBagPath(path), ...(Number.isSafeInteger(size) && { size }) })
}

/** What `bagit.txt` says of the encoding of the other tag files; UTF-8 where it says nothing that can be used. */
export const bagEncoding = (lines: readonly string[]): E.Either<string, string> => {
  if (!lines.some((line) => /^BagIt-Version:\s*\d+\.\d+\s*$/i.test(line)))
    return E.left('has no BagIt-Version; the folder is still read as a bag')
  const label = lines
    .map((line) => /^Tag-File-Character-Encoding:\s*(\S+)\s*$/i.exec(line)?.[1])
    .find(Boolean)
  if (label === undefined) return E.left('names no Tag-File-Character-Encoding; UTF-8 is taken')
  return isByteEncoding(label)
    ? E.right(label)
    : E.left(
        `names the encoding ${JSON.stringify(label)}, in which lines cannot be told apart; UTF-8 is taken`,
      )
}

/** Known here, and with line ends that are single bytes. */
const isByteEncoding = (label: string): boolean => {
  try {
    return !new TextDecoder(label).encoding.startsWith('utf-16')
  } catch {
    return false
  }
}
