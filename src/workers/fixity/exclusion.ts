import { posix } from 'node:path'
import { linesOf } from '@fonds/bytes'
import * as E from 'fp-ts/lib/Either.js'
import type { ContentStore } from '../../ports/content-store.ts'

/** In a store's root: one pattern per line, `#` begins a comment. */
export const ignoreFile = '.fondsignore'

/** Files that operating systems leave beside people's files. In a bag they are content if a manifest names them. */
const litter =
  /^(?:\.DS_Store|\._.*|Thumbs\.db|ehthumbs\.db|desktop\.ini|\.Spotlight-V100|\.Trashes|\.fseventsd|\$RECYCLE\.BIN|System Volume Information)$/

/** Returns true for a path that is not recorded. */
export type Exclusion = (path: string) => boolean

/**
 * Shell patterns: one without `/` is the name of a file or folder anywhere, one with `/` is a path from the root. All
 * below an excluded folder is excluded. Litter and the ignore file always are.
 */
export const exclusionOf = (patterns: readonly string[]): Exclusion => {
  const ofNames = patterns.filter((pattern) => !isOfPath(pattern)).map(withoutEnd)
  const ofPaths = patterns.filter(isOfPath).map((pattern) => withoutEnd(pattern).replace(/^\//, ''))
  return (path) => {
    const names = path.split('/')
    return (
      path === ignoreFile ||
      names.some(
        (name) => litter.test(name) || ofNames.some((pattern) => posix.matchesGlob(name, pattern)),
      ) ||
      (ofPaths.length > 0 &&
        names.some((_, i) => {
          const above = names.slice(0, i + 1).join('/')
          return ofPaths.some((pattern) => posix.matchesGlob(above, pattern))
        }))
    )
  }
}

/** `cache/` is a name, too. */
const isOfPath = (pattern: string): boolean => withoutEnd(pattern).includes('/')
const withoutEnd = (pattern: string): string => pattern.replace(/\/$/, '')

const maxBytes = 1024 * 1024

/**
 * Reads the patterns of a store's ignore file. Throws if it cannot be read, is too large, or has unsupported syntax.
 */
/** Nothing is known of the patterns. `reason`: in a sentence, without the name of the file. */
export class IgnoreFileUnreadable extends Error {
  override readonly name = 'IgnoreFileUnreadable'
  readonly reason: string

  constructor(reason: string) {
    super(`${ignoreFile} cannot be read: ${reason}`)
    this.reason = reason
  }
}

export const readIgnoreFile = async (store: ContentStore): Promise<readonly string[]> => {
  const chunks: Buffer[] = []
  let bytes = 0
  const read = await store.read(ignoreFile, {}, (chunk) => {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(Buffer.from(chunk))
  })()
  if (E.isLeft(read)) {
    if (read.left.kind === 'NotFound') return []
    throw new IgnoreFileUnreadable('reason' in read.left ? read.left.reason : 'it changed')
  }
  if (bytes > maxBytes) throw new Error(`${ignoreFile} has ${bytes} bytes; at most ${maxBytes} are read`)
  const lines = linesOf(Buffer.concat(chunks).toString('utf8'))
  return lines.flatMap((text, i) => {
    const pattern = text.trim()
    if (pattern.startsWith('!'))
      throw new Error(
        `${ignoreFile}, line ${i + 1}: ${pattern} begins with "!", which is not understood; leave it out`,
      )
    return pattern === '' || pattern.startsWith('#') ? [] : [pattern]
  })
}
