import { digestLine, type ManifestLine } from '../checksums/checksum-file.ts'
import { algorithmName } from '../checksums/digest.ts'
import type { InvalidLine } from '../invalid-line.ts'
import type { Declaration } from './declaration.ts'
import { bagManifestLine, isPayload, isTwice, isUnsafe, manifestName } from './lines.ts'

/* Manifests of bags, RFC 8493 §2.1.3 and §2.2.1. */

/** The algorithm of `manifest-sha256.txt`, `tagmanifest-md5.txt`, …; undefined for any other file. */
export const bagManifest = (name: string): string | undefined => {
  const manifest = manifestName(name)
  return manifest && algorithmName(manifest.algorithm)
}

export const isPayloadManifest = (name: string): boolean => manifestName(name)?.isTag === false

/** Undefined for an empty line. Some tools put an asterisk before the path, as md5sum does. */
export const parseBagLine = (line: string, algorithm: string): ManifestLine | InvalidLine | undefined => {
  if (/^\s*$/.test(line)) return undefined
  const found = bagManifestLine(line)
  if (!found) return { error: 'is no manifest line; wants "<digest> <path>"' }
  if (isUnsafe(found.path)) return { error: `${JSON.stringify(found.path)} leads out of the bag` }
  return digestLine(algorithm, found.digest, found.path)
}

/** Of the lines of one manifest, one by one: what RFC 8493 §2.1.3 and §2.2.1 have against them. */
export const bagLineRules = (manifest: string, { isOld }: Declaration) => {
  const digests = new Map<string, string>()
  const isTag = !isPayloadManifest(manifest)
  return ({ name, value }: ManifestLine): string | undefined => {
    const path = name.replace(/^(?:\.\/)+/, '')
    const before = digests.get(path)
    digests.set(path, value)
    if (isTwice(before, value, isOld)) return `names ${JSON.stringify(path)} a second time`
    if (isTag === isPayload(path))
      return `names ${JSON.stringify(path)}, which is ${isTag ? 'payload' : 'no payload'}`
    return undefined
  }
}
