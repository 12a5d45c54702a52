import { type CapturePage, resumeKeyOf, type SearchEnd } from '@fonds/cdx'
import { type CdxRequest, relatedLines } from '@fonds/cdx/server'

/** A part of an answer of the CDX server; the last one has the end. */
export interface WrittenPage {
  readonly text: string
  readonly end?: SearchEnd
}

/** Pages of captures in the format of the request. Behind the last page of a query there is no text at all, by which clients stop. */
export async function* writtenPages(
  { output, isTurned, relations, showsResumeKey }: CdxRequest,
  pages: AsyncIterable<CapturePage>,
): AsyncGenerator<WrittenPage> {
  const { start, heading, separator, line: written, end: ending } = output
  const related = relations && relatedLines(relations)
  let isEmpty = true
  let isStarted = false
  for await (const { lines, end } of isTurned ? turned(pages) : pages) {
    let text = isStarted ? '' : start
    isStarted = true
    for (const line of lines) {
      text += isEmpty ? heading : separator
      text += written(related ? related(line) : line)
      isEmpty = false
    }
    if (!end) yield { text }
    else if (end.isBehindLastPage) yield { text: '', end }
    else {
      const key = showsResumeKey && end.resume ? resumeKeyOf(end.resume) : undefined
      yield { text: text + ending(key, isEmpty), end }
    }
  }
}

/** One page, the last line first. */
async function* turned(pages: AsyncIterable<CapturePage>): AsyncGenerator<CapturePage> {
  const all: CapturePage['lines'][number][] = []
  for await (const { lines, end } of pages) {
    all.push(...lines)
    if (end) yield { lines: all.toReversed(), end }
  }
}
