import { algorithmName, isAlgorithm, normaliseDigest } from '@fonds/digests'
import type { InvalidLine } from '../invalid-line.ts'

/* Checksum files, as md5sum and its relatives or BSD's tools write them. */

/** A file with checksums of other files, described by its name. */
export interface ChecksumFile {
  /** Algorithm of lines that name none. */
  readonly algorithm: string
  /** `scan.tif` for `scan.tif.md5`, which may hold a digest and nothing else. */
  readonly sidecarOf?: string
}

/** A digest of a file, as a line gives it. */
export interface ManifestLine {
  readonly algorithm: string
  readonly value: string
  /** The algorithm is known, but the value is not a digest of it, and is as written. */
  readonly isMalformed?: true
  /** As written, unescaped: relative to the manifest's folder. */
  readonly name: string
}

const named = 'md5|sha1|sha224|sha256|sha384|sha512|sha3-\\d{3}|blake2b|b2|blake3|b3'
const byExtension = new RegExp(`^(.+)\\.(${named})(?:sums?)?$`, 'i')
const byName = new RegExp(`^(${named})sums?(?:\\.txt)?$`, 'i')
/** Names of tools that differ from their algorithms' names. */
const tools: Readonly<Record<string, string>> = { b2: 'blake2b', b3: 'blake3' }
const algorithmOf = (name: string): string => algorithmName(tools[name.toLowerCase()] ?? name)

/** `*.md5`, `*.sha256`, `MD5SUMS`, `sha512sum.txt`, …; undefined for any other file. */
export const checksumFile = (name: string): ChecksumFile | undefined => {
  const [, sidecarOf, extension] = byExtension.exec(name) ?? []
  if (sidecarOf !== undefined && extension !== undefined)
    return { algorithm: algorithmOf(extension), sidecarOf }
  const algorithm = byName.exec(name)?.[1]
  return algorithm === undefined ? undefined : { algorithm: algorithmOf(algorithm) }
}

const coreutils = /^(\\?)([0-9a-f]+)(?: [ *]|[ \t]+)(.+)$/is
const bsd = /^(\\?)([a-z][a-z0-9-]*) ?\((.+)\) ?= ?([0-9a-f]+)$/is
const digestAlone = /^[0-9a-f]+$/i
/** A line whose digest has a damaged character, and is as long as the shortest digest. */
const damaged = /^(\\?)(\S{32,})(?: [ *]|[ \t]+)(.+)$/s

/** Parses a line of md5sum and its relatives, or of BSD's tools; undefined for an empty line or a comment. */
export const parseChecksumLine = (
  line: string,
  file: ChecksumFile,
): ManifestLine | InvalidLine | undefined => {
  if (/^\s*$|^[#;]/.test(line)) return undefined
  const gnu = coreutils.exec(line)
  if (gnu) return manifestLine(file.algorithm, gnu[2] ?? '', nameOf(gnu[1], gnu[3] ?? ''))
  const tagged = bsd.exec(line)
  if (tagged) {
    const algorithm = algorithmName((tagged[2] ?? '').replace(/^sha2-/i, 'sha'))
    return manifestLine(algorithm, tagged[4] ?? '', nameOf(tagged[1], tagged[3] ?? ''))
  }
  if (file.sidecarOf !== undefined && digestAlone.test(line.trim()))
    return manifestLine(file.algorithm, line.trim(), file.sidecarOf)
  const broken = damaged.exec(line)
  if (broken) return manifestLine(file.algorithm, broken[2] ?? '', nameOf(broken[1], broken[3] ?? ''))
  return { error: 'is no checksum line; wants "<digest>  <name>" or "<ALGORITHM> (<name>) = <digest>"' }
}

const manifestLine = (
  algorithm: string,
  value: string,
  name: string | undefined,
): ManifestLine | InvalidLine =>
  name === undefined
    ? { error: 'the name has a backslash that escapes nothing; wants \\n, \\r or \\\\' }
    : digestLine(algorithm, value, name)

/** Makes a line, with the digest in normal form if it is valid. */
export const digestLine = (algorithm: string, value: string, name: string): ManifestLine => {
  const normal = normaliseDigest({ algorithm, value })
  if (normal) return { ...normal, name }
  return { algorithm, value, ...(isAlgorithm(algorithm) && { isMalformed: true }), name }
}

/** A backslash before the digest marks an escaped name. */
const nameOf = (escaped: string | undefined, name: string): string | undefined =>
  escaped ? unescapeName(name) : name

const meanings: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\\\': '\\' }

/** Returns undefined if a backslash escapes nothing known. */
export const unescapeName = (name: string): string | undefined => {
  let known = true
  const text = name.replaceAll(/\\.?/gs, (code) => {
    const meaning = meanings[code]
    known &&= meaning !== undefined
    return meaning ?? ''
  })
  return known ? text : undefined
}
