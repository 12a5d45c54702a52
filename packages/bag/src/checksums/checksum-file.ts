import { algorithmName, isAlgorithmName, normaliseDigest } from '@fonds/digests'
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
  /** As written, unescaped: relative to the manifest's folder. Its meaning is told by `checksumName` or `bagNames`. */
  readonly name: string
  /** In a bag: the name as written, if it holds a percent sign. */
  readonly written?: string
  /** The tool escaped the name. */
  readonly isEscaped?: true
  /** The digest stands alone: the name is that of its sidecar, without the ending. */
  readonly isAlone?: true
}

const byExtension = /^(.+)\.([a-z0-9_-]+?)(?:sums?)?$/i
const byName = /^([a-z0-9_-]+?)sums?(?:\.txt)?$/i
/** Endings that other files have more often than checksum files. */
const isOfOthers = /^(md[24]|sha|sha[23]|ripemd|crc-?32c?|adler-?32|shake.*)$/i
const isNamed = (algorithm: string | undefined): algorithm is string =>
  algorithm !== undefined && isAlgorithmName(algorithm) && !isOfOthers.test(algorithm)

/** `*.md5`, `*.sha256`, `MD5SUMS`, `sha512sum.txt`, …; undefined for any other file. */
export const checksumFile = (name: string): ChecksumFile | undefined => {
  const [, sidecarOf, extension] = byExtension.exec(name) ?? []
  if (sidecarOf !== undefined && isNamed(extension)) return { algorithm: algorithmName(extension), sidecarOf }
  const algorithm = byName.exec(name)?.[1]
  return isNamed(algorithm) ? { algorithm: algorithmName(algorithm) } : undefined
}

const coreutils = /^(\\?)([0-9a-f]+)(?: [ *]|[ \t]+)(.+)$/is
const bsd = /^(\\?)([a-z][a-z0-9_/-]*) ?\((.+)\) ?= ?([0-9a-f]+)$/is
/** A digest, or one of standard input, as md5sum and OpenSSL write it. */
const digestAlone = /^(?:([0-9a-f]+)([ \t]+[*]?-)?|([a-z][a-z0-9_/-]*)?\(stdin\)= ([0-9a-f]+))$/i
/** A line whose digest has a damaged character, and is as long as the shortest digest. */
const damaged = /^(\\?)(\S{32,})(?: [ *]|[ \t]+)(.+)$/s

/** Parses a line of md5sum and its relatives, or of BSD's tools; undefined for an empty line or a comment. */
export const parseChecksumLine = (
  line: string,
  file: ChecksumFile,
): ManifestLine | InvalidLine | undefined => {
  if (/^\s*$|^[#;]/.test(line)) return undefined
  const alone = aloneIn(line.trim(), file)
  if (alone) return alone
  const gnu = coreutils.exec(line)
  if (gnu) return manifestLine(file.algorithm, gnu[2] ?? '', gnu[1], gnu[3] ?? '')
  const tagged = bsd.exec(line)
  if (tagged) return manifestLine(algorithmName(tagged[2] ?? ''), tagged[4] ?? '', tagged[1], tagged[3] ?? '')
  const broken = damaged.exec(line)
  if (broken) return manifestLine(file.algorithm, broken[2] ?? '', broken[1], broken[3] ?? '')
  return { error: 'is no checksum line; wants "<digest>  <name>" or "<ALGORITHM> (<name>) = <digest>"' }
}

/** The line of a digest alone, which counts in a sidecar only. */
const aloneIn = (
  line: string,
  { algorithm, sidecarOf }: ChecksumFile,
): ManifestLine | InvalidLine | undefined => {
  const [isOne, value, dash, tag, ofInput] = digestAlone.exec(line) ?? []
  if (isOne === undefined) return undefined
  if (sidecarOf === undefined && dash === undefined && ofInput === undefined) return undefined
  if (sidecarOf === undefined)
    return { error: 'is no checksum line: it names no file; wants "<digest>  <name>"' }
  const digest = digestLine(
    tag === undefined ? algorithm : algorithmName(tag),
    value ?? ofInput ?? '',
    sidecarOf,
  )
  return { ...digest, isAlone: true }
}

/** A backslash before the digest marks an escaped name. */
const manifestLine = (
  algorithm: string,
  value: string,
  mark: string | undefined,
  written: string,
): ManifestLine | InvalidLine => {
  if (!mark) return digestLine(algorithm, value, written)
  const name = unescapeName(written)
  return name === undefined
    ? { error: 'the name has a backslash that escapes nothing; wants \\n, \\r or \\\\' }
    : { ...digestLine(algorithm, value, name), isEscaped: true }
}

/** A text has a smaller share of control characters, and of bytes that are no UTF-8. */
const maxOddShare = 1 / 4

/** True for the beginning of a file that is no text at all. Damaged bytes in a text are few. */
export const isNoText = (beginning: Uint8Array): boolean => {
  if (/^(\xff\xfe|\xfe\xff)/.test(Buffer.from(beginning.subarray(0, 2)).toString('latin1'))) return false
  const odd = Buffer.from(beginning).toString('utf8').match(oddCharacters)?.length ?? 0
  return odd > beginning.length * maxOddShare
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is counted.
const oddCharacters = /[\0-\x08\x0e-\x1f\x7f\ufffd]/g

/** Makes a line, with the digest in normal form if it is valid. */
export const digestLine = (algorithm: string, value: string, name: string): ManifestLine => {
  const normal = normaliseDigest({ algorithm, value })
  if (normal) return { ...normal, name }
  return { algorithm, value, ...(isAlgorithmName(algorithm) && { isMalformed: true }), name }
}

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
