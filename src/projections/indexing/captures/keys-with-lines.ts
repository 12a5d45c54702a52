import type { CaptureQuery } from '@fonds/cdx'
import type { CdxRequest } from '@fonds/cdx/server'
import type { CaptureSource } from './capture-source.ts'
import { readLines, startReading } from './read-lines.ts'

/**
 * The query for the first of its alternatives that a visible line has a key of. Throws `UnavailableError`.
 */
export const withKeysOfLines = async (
  source: CaptureSource,
  { query, otherwise = [] }: Pick<CdxRequest, 'query' | 'otherwise'>,
): Promise<CaptureQuery> => {
  if (otherwise.length > 0)
    for (const keys of [query.keys, ...otherwise])
      for await (const found of readLines(source, { keys, page: { skip: 0, take: 1 } }, startReading()))
        if (found.length > 0) return { ...query, keys }
  return query
}
