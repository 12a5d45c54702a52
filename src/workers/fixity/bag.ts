import * as E from 'fp-ts/lib/Either.js'
import { algorithmName } from '../../domain/fixity/checksum.ts'
import { bagManifestLine } from '../bagit/lines.ts'
import { type ManifestLine, manifestLine } from './manifest.ts'

/* BagIt, RFC 8493: what its files mean. */

/** The algorithm of `manifest-sha256.txt`, `tagmanifest-md5.txt`, …; undefined for any other file. */
export const bagManifest = (name: string): string | undefined => {
  const algorithm = /^(?:tag)?manifest-([a-z0-9-]+)\.txt$/i.exec(name)?.[1]
  return algorithm && algorithmName(algorithm)
}

/** Undefined for an empty line. Some tools put an asterisk before the path, as md5sum does. */
export const parseBagLine = (line: string, algorithm: string): E.Either<string, ManifestLine> | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const found = bagManifestLine(line)
  if (!found) return E.left('is no manifest line; wants "<digest> <path>"')
  return manifestLine(algorithm, found.digest, found.path)
}

/** What `bagit.txt` says of the encoding of the other tag files; UTF-8 where it says nothing that can be used. */
export const bagEncoding = (lines: readonly string[]): E.Either<string, string> => {
  if (!lines.some((line) => /^BagIt-Version:\s*\d+\.\d+\s*$/i.test(line)))
    return E.left('has no BagIt-Version; the folder is still read as a bag')
  const label = lines
    .map((line) => /^Tag-File-Character-Encoding:\s*(\S+)\s*$/i.exec(line)?.[1])
    .find(Boolean)
  if (label === undefined) return E.left('names no Tag-File-Character-Encoding; UTF-8 is taken')
  return isEncoding(label)
    ? E.right(label)
    : E.left(`names the encoding ${JSON.stringify(label)}, which is not known here; UTF-8 is taken`)
}

const isEncoding = (label: string): boolean => {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}
