import * as E from 'fp-ts/lib/Either.js'
import { answerQuery } from '../../../projections/indexing/xml-query/answer-query.ts'
import { refusedQuery } from '../../../projections/indexing/xml-query/documents.ts'
import { parseQuery } from '../../../projections/indexing/xml-query/parse-query.ts'
import type { AddressAnswer, AddressRequest } from '../../http-address.ts'
import { captureSource } from '../capture-source.ts'
import type { IndexingContext } from '../context.ts'

/** Answers OpenWayback's query to a remote index. The status is always 200: OpenWayback reads no other. */
export const answerXmlQuery = async (
  context: Pick<IndexingContext, 'captureIndex' | 'config' | 'eventStore' | 'clock' | 'telemetry'>,
  { query, method }: AddressRequest,
): Promise<AddressAnswer> => {
  const answer = { status: 200, contentType: 'application/xml; charset=utf-8' }
  const asked = parseQuery({
    q: query.get('q') ?? '',
    count: query.get('count') ?? undefined,
    start_page: query.get('start_page') ?? undefined,
  })
  if (E.isLeft(asked)) return { ...answer, body: refusedQuery(asked.left) }
  if (method === 'HEAD') return { ...answer, body: '' }
  const body = answerQuery(await captureSource(context), asked.right, context.clock.now())
  return { ...answer, body, isCompressed: query.get('gzip') !== 'false' }
}
