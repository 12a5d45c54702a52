import { algorithmName } from '@fonds/digests'
import { digestLine, type ManifestLine } from '../checksums/checksum-file.ts'
import type { InvalidLine } from '../invalid-line.ts'
import type { BagDeclaration } from './declaration.ts'
import {
  bagManifestLine,
  isPayloadPath,
  isTwice,
  isUnsafePath,
  parseManifestName,
  writtenBagPath,
} from './lines.ts'

/* Manifests of bags, RFC 8493 §2.1.3 and §2.2.1. */

/** The algorithm of `manifest-sha256.txt`, `tagmanifest-md5.txt`, …; undefined for any other file. */
export const manifestAlgorithm = (name: string): string | undefined => {
  const manifest = parseManifestName(name)
  return manifest && algorithmName(manifest.algorithm)
}

export const isPayloadManifest = (name: string): boolean => parseManifestName(name)?.isTag === false

/** Parses a line of a manifest; undefined for an empty one. Refuses paths that lead out of the bag. */
export const parseManifestLine = (
  line: string,
  algorithm: string,
): ManifestLine | InvalidLine | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const found = bagManifestLine(line)
  if (!found) return { error: 'is no manifest line; wants "<digest> <path>"' }
  const { path, written } = writtenBagPath(found.path)
  if (isUnsafePath(path)) return { error: `${JSON.stringify(path)} leads out of the bag` }
  return { ...digestLine(algorithm, found.digest, path), ...(written !== undefined && { written }) }
}

/**
 * Checks the lines of one manifest by RFC 8493 §2.1.3 and §2.2.1: paths from the bag's folder, with their digests. Returns
 * why a line is refused.
 */
export const createManifestRules = (manifest: string, { isOld }: BagDeclaration) => {
  const digests = new Map<string, string>()
  const isTag = !isPayloadManifest(manifest)
  return (path: string, value: string): string | undefined => {
    const before = digests.get(path)
    digests.set(path, value)
    if (isTwice(before, value, isOld)) return `names ${JSON.stringify(path)} a second time`
    if (isTag === isPayloadPath(path))
      return `names ${JSON.stringify(path)}, which is ${isTag ? 'payload' : 'no payload'}`
    return undefined
  }
}
