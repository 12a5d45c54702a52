import { type CaptureLine, type CaptureQuery, captureLine, type SearchEnd } from '@fonds/cdx'
import { closestLines } from '@fonds/cdx/sorted-index'
import type { CaptureIndex } from '#src/ports/capture-index.ts'
import type { CaptureSource } from '#src/projections/indexing/captures/capture-source.ts'
import { findCaptures } from '#src/projections/indexing/captures/find-captures.ts'
import { bytesOf, sortedUnique } from '../../../infra/capture-index/lines.ts'

/** What is read of an index, over lines in memory. */
export const indexOf = (files: Readonly<Record<string, readonly string[]>>): CaptureIndex => {
  const lines = sortedUnique(Object.values(files).flat()).map(bytesOf)
  const scan: CaptureIndex['scan'] = async function* ({ from, to, backwards }) {
    const wanted = lines.filter(
      (line) => (!from || Buffer.compare(line, from) >= 0) && (!to || Buffer.compare(line, to) < 0),
    )
    if (backwards) wanted.reverse()
    for (let i = 0; i < wanted.length; i += 3) yield wanted.slice(i, i + 3)
  }
  const never = () => Promise.reject(new Error('only read'))
  return {
    scan,
    closest: (wanted) => closestLines(scan, wanted),
    write: never,
    change: never,
    changeByHand: never,
    writeFiles: never,
    exportZipNum: never,
    mergeDue: never,
    position: never,
    place: never,
    changed: () => {
      throw new Error('only read')
    },
    runs: never,
    losses: never,
    close: async () => {},
  }
}

export const sourceOf = (
  index: CaptureSource['index'],
  more: Partial<CaptureSource> = {},
): CaptureSource => ({
  index,
  maxScanned: 1_000_000,
  maxMillis: 60_000,
  ...more,
})

export const found = async (source: CaptureSource, query: CaptureQuery) => {
  const lines: string[] = []
  let end: SearchEnd | undefined
  for await (const page of findCaptures(source, query)) {
    lines.push(...page.lines.map(({ text }) => text))
    if (page.end) end = page.end
  }
  if (!end) throw new Error('the last page has no end')
  return { lines, end }
}

/** What has to be a line. */
export const lineOf = (text: string): CaptureLine => {
  const line = captureLine(text)
  if (!line) throw new Error(`no line: ${text}`)
  return line
}
