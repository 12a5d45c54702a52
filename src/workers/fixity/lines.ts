import { createLineSplitter } from '@fonds/bytes'
import type { ContentFailure, ContentStore } from '../../ports/content-store.ts'

/** The line without its end; undefined if it is too long, or not text in the manifest's encoding. */
type OnLine = (line: string | undefined, number: number) => void

/**
 * Reads text content line by line, lines numbered from 1, in the memory of one line. A text of no declared encoding is
 * UTF-8, or UTF-16 if it begins with the mark. `onBeginning` gets the first bytes, valid until it returns.
 */
export const readLines = async (
  store: ContentStore,
  path: string,
  encoding: string | undefined,
  onLine: OnLine,
  onBeginning?: (bytes: Uint8Array) => void,
): Promise<ContentFailure | undefined> => {
  const lines = createLineSplitter(encoding)
  let isText = true
  let isBegun = false
  const linesIn = (chunk: Uint8Array) => {
    try {
      return isText ? lines.push(chunk) : []
    } catch {
      isText = false
      return []
    }
  }
  const read = await store.read(path, {}, (chunk) => {
    if (!isBegun) onBeginning?.(chunk)
    isBegun = true
    for (const { text, number } of linesIn(chunk)) onLine(text, number)
  })()
  if (read._tag === 'Left') return read.left
  if (!isText) return { kind: 'Unreadable', path, reason: `it is not ${encoding ?? 'UTF-8'} text` }
  for (const { text, number } of lines.end()) onLine(text, number)
  return undefined
}
