import { clip } from '../../../domain/kernel/clip.ts'

/* What a file of an object may be called: a path with `/`, below the object's folder (ingest X8). */

const maxSegmentBytes = 255
/** Of the 4,096 that the system takes, the folders above need the rest. */
const maxPathBytes = 3500

/** Undefined when it may be. */
export const whyNotName = (path: string): string | undefined => {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'is no Unicode text'
  if (path.includes('\0')) return 'has a NUL in it, which no file system takes'
  if (path.startsWith('/') || /^[a-z]:[\\/]/i.test(path)) return 'is absolute: it leads out of the folder'
  if (path.split(/[\\/]/).includes('..')) return 'has "..": it leads out of the folder'
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || segment === '.'))
    return 'has an empty segment, or a dot for one'
  if (segments.some((segment) => Buffer.byteLength(segment) > maxSegmentBytes))
    return `has a segment of more than ${maxSegmentBytes} bytes, which no file system takes`
  return Buffer.byteLength(path) > maxPathBytes
    ? `has more than ${maxPathBytes} bytes, with which it cannot be stored`
    : undefined
}

const maxQuotedLength = 200

/** For a sentence, which goes on behind it. */
export const quoted = (path: string): string => JSON.stringify(clip(path, maxQuotedLength))
