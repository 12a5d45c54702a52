import type { CaptureLine } from '@fonds/cdx'

/** All captures of one key. */
export interface UrlSummary {
  readonly key: string
  /** URL of its last capture. */
  readonly url: string
  /** Number of changes of the digest, the first capture included. */
  readonly versions: number
  readonly captures: number
  readonly first: string
  readonly last: string
}

/** Sums up lines in the order of the index, a summary for each key. */
export async function* urlSummaries(lines: AsyncIterable<CaptureLine>): AsyncGenerator<UrlSummary> {
  let summary: UrlSummary | undefined
  let digest = ''
  for await (const line of lines) {
    if (summary && summary.key !== line.key) {
      yield summary
      summary = undefined
    }
    const isVersion = !summary || line.field('digest') !== digest
    digest = line.field('digest')
    summary = {
      key: line.key,
      url: line.field('url'),
      versions: (summary?.versions ?? 0) + (isVersion ? 1 : 0),
      captures: (summary?.captures ?? 0) + 1,
      first: summary?.first ?? line.time,
      last: line.time,
    }
  }
  if (summary) yield summary
}
