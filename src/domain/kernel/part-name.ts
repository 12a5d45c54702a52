import { createHash } from 'node:crypto'

/** A file of an object: well-formed Unicode. */
export interface Part {
  /** Identifier of the object, such as `ark:/99999/fk4abc`. */
  readonly object: string
  /** Path of the content in it, such as `v1/content/producer/crawl.warc.gz`. */
  readonly path: string
}

/** Room is left for endings: many file systems take 255 bytes. */
const maxLength = 240
const [headLength, tailLength] = [60, 100]

/**
 * Names a file of an object without a folder: `ark~3A=99999=fk4abc~_v1=content=producer=crawl.warc.gz`. Different files
 * have different names. The ending stays, from which the kind of a file is known.
 *
 * All characters are unreserved in URLs, or `=`, which software leaves as it is in a path: a percent sign would be
 * decoded by some, and be a part of the name for others. `=` stands for `/`, `~_` is between the two, and `~` with two
 * digits is a byte of UTF-8. A name over 240 characters has the SHA-256 of the whole one in its middle, between `~-`.
 */
export const nameOfPart = ({ object, path }: Part): string => {
  const name = `${escaped(object)}~_${escaped(path)}`
  if (name.length <= maxLength) return name
  const digest = createHash('sha256').update(name).digest('hex')
  return `${name.slice(0, headLength)}~-${digest}~-${name.slice(-tailLength)}`
}

/** The inverse; undefined for a name that has a digest, and for one that names no file of an object. */
export const partOfName = (name: string): Part | undefined => {
  const found = /^((?:[\w.=-]|~[0-9A-F]{2})*)~_((?:[\w.=-]|~[0-9A-F]{2})*)$/.exec(name)
  if (!found) return undefined
  const [object, path] = [unescaped(found[1] ?? ''), unescaped(found[2] ?? '')]
  if (object === undefined || path === undefined) return undefined
  // Other escapes of the same name are no name of it.
  return nameOfPart({ object, path }) === name ? { object, path } : undefined
}

const escaped = (text: string): string =>
  text.replace(/[^\w.-]/gu, (character) => (character === '/' ? '=' : bytes(character)))

const bytes = (character: string): string =>
  [...Buffer.from(character)].map((byte) => `~${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Undefined if the bytes are no UTF-8. */
const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('=', '/').replaceAll('~', '%'))
  } catch {
    return undefined
  }
}
