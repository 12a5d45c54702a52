import { rmSync } from 'node:fs'
import { openLineReader } from './line-reader.ts'
import { createLineWriter, type LinesWritten } from './line-writer.ts'

/** Lines that are sorted in memory; of more, sorted parts are put aside in files. */
const maxBytes = 32 * 1024 * 1024

export interface SortedLines {
  /** Without its end. */
  add(line: string): void
  /** Writes all of them into the file, byte for byte as `LC_ALL=C sort -u` would (W27). */
  end(): LinesWritten
  /** Leaves nothing behind. */
  discard(): void
}

/** Sorts lines into a new file. Memory stays flat, however many there are. */
export const createSortedLines = (path: string, mostBytes = maxBytes): SortedLines => {
  const parts: string[] = []
  let held: Buffer[] = []
  let bytes = 0

  const writeHeld = (into: string): LinesWritten => {
    const writer = createLineWriter(into)
    try {
      for (const line of held.sort(Buffer.compare)) writer.add(line)
      return writer.end()
    } finally {
      writer.close()
      held = []
      bytes = 0
    }
  }
  const putAside = (): void => {
    const part = `${path}.${parts.length}`
    parts.push(part)
    writeHeld(part)
  }
  const discardParts = (): void => {
    for (const part of parts.splice(0)) rmSync(part, { force: true })
  }

  return {
    add: (line) => {
      const one = Buffer.from(line)
      held.push(one)
      bytes += one.length
      if (bytes >= mostBytes) putAside()
    },
    end: () => {
      if (parts.length === 0) return writeHeld(path)
      if (held.length > 0) putAside()
      const written = mergeInto(path, parts)
      discardParts()
      return written
    },
    discard: () => {
      held = []
      discardParts()
      rmSync(path, { force: true })
    },
  }
}

/** Merges sorted files, few enough to look at each for every line. */
const mergeInto = (path: string, parts: readonly string[]): LinesWritten => {
  const readers = parts.map(openLineReader)
  const writer = createLineWriter(path)
  try {
    const heads = readers.map((reader) => ({ reader, line: reader.next() }))
    for (;;) {
      let least: (typeof heads)[number] | undefined
      for (const head of heads)
        if (head.line && (!least?.line || head.line.compare(least.line) < 0)) least = head
      if (!least?.line) return writer.end()
      writer.add(least.line)
      least.line = least.reader.next()
    }
  } finally {
    writer.close()
    for (const reader of readers) reader.close()
  }
}
