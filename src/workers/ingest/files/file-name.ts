import { isOfWindowsRoot } from '@fonds/bag'
import { clip } from '../../../domain/kernel/clip.ts'

/* Valid names of files in an object: paths with `/`, below the object's folder (ingest X8). */

const maxSegmentBytes = 255
/** The system allows 4,096; the folders above need the rest. */
const maxPathBytes = 3500

/** Returns why a name is invalid; undefined if it is valid. */
export const whyNotName = (path: string): string | undefined => {
  if (path === '') return 'is empty'
  if (!path.isWellFormed()) return 'is no Unicode text'
  if (path.includes('\0')) return 'has a NUL in it, which no file system takes'
  if (isOfWindowsRoot(path)) return 'is absolute: it leads out of the folder'
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

/** Quotes a path, for a sentence that continues after it. */
export const quoted = (path: string): string => JSON.stringify(clip(path, maxQuotedLength))
