import { resumeKeyOf, type SearchEnd } from '@fonds/cdx'
import { type CdxRequest, decodeCdxRequest } from '@fonds/cdx/server'
import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { CaptureSource } from '../../../projections/indexing/captures/capture-source.ts'
import { countCaptures } from '../../../projections/indexing/captures/count-captures.ts'
import { findCaptures } from '../../../projections/indexing/captures/find-captures.ts'
import { withKeysOfLines } from '../../../projections/indexing/captures/keys-with-lines.ts'
import { type WrittenPage, writtenPages } from '../../../projections/indexing/captures/written-pages.ts'
import { type AddressAnswer, type AddressRequest, type HttpAddress, httpAddress } from '../../http-address.ts'
import type { WorkflowContext } from '../../workflow-context.ts'
import { captureSource } from '../capture-source.ts'
import { indexingContext } from '../context.ts'
import type { IndexingConfig } from '../settings.ts'
import { asOfAsked } from './as-of.ts'
import { cdxWords } from './cdx-words.ts'
import { answerXmlQuery } from './xml-query.ts'

/** Dialects decode them themselves: of repeated ones, some take all, and some the first. */
const Words = t.union([t.string, t.readonlyArray(t.string)])

const cdxParameters: HttpAddress['parameters'] = Object.entries(cdxWords).map(([name, description]) => ({
  name,
  in: 'query',
  description,
  codec: Words,
}))

/** Length of text that is buffered before a response begins: a shorter response says in its headers whether it was cut. */
const bufferedLength = 256 * 1024

export const cdxAddress = httpAddress({
  method: 'get',
  path: '/cdx',
  operationId: 'cdx',
  summary: 'Captures in the index, as a CDX server says them: as OutbackCDX, pywb or wayback-cdx-server do.',
  description:
    'An answer without a line says that nothing was found. One that ends before all was looked at says so in the header ' +
    '`fonds-cut` (a trailer, where it is long), and where to go on in `fonds-resume-key`.',
  parameters: cdxParameters,
  ignoresUnknown: true,
  responses: {
    200: {
      description: 'A capture a line, or JSON.',
      contentTypes: [
        'text/plain',
        'application/json',
        'text/x-cdxj',
        'text/x-ndjson',
        'application/link-format',
        'application/xml',
      ],
    },
  },
  refusals: {
    'wrong-parameter': { status: 400, description: 'A parameter is missing or not what it must be.' },
  },
  answer: async (context: WorkflowContext<IndexingConfig>, request) => {
    if (request.query.has('q')) return right(await answerXmlQuery(indexingContext(context), request))
    const asked = decodeCdxRequest(request.query)
    if (isLeft(asked)) return left({ code: 'wrong-parameter', ...asked.left })
    const asOf = asOfAsked(request.query)
    if (isLeft(asOf)) return left({ code: 'wrong-parameter', ...asOf.left })
    const source = await captureSource(indexingContext(context), asOf.right)
    const query = await withKeysOfLines(source, asked.right)
    return right(await (asked.right.counting ? counted : found)(source, { ...asked.right, query }, request))
  },
})

const counted = async (source: CaptureSource, asked: CdxRequest): Promise<AddressAnswer> => {
  const { counting, query } = asked
  const { lines, end } = await countCaptures(source, query)
  return {
    status: 200,
    contentType: counting?.contentType ?? 'text/plain',
    headers: headersOf(end),
    body: counting?.say(lines) ?? '',
  }
}

const found = async (
  source: CaptureSource,
  asked: CdxRequest,
  { method, signal, query }: AddressRequest,
): Promise<AddressAnswer> => {
  const answer = { status: 200, contentType: asked.output.contentType }
  if (method === 'HEAD') return { ...answer, body: '' }
  const isCompressed = query.get('gzip') !== 'false'
  const pages = writtenPages(asked, findCaptures(source, asked.query))
  let isEnded = true
  try {
    let text = ''
    while (text.length < bufferedLength) {
      signal.throwIfAborted()
      const { value: page, done } = await pages.next()
      if (done) break
      text += page.text
      if (page.end)
        return { ...answer, headers: headersOf(page.end), body: isCompressed ? text : Buffer.from(text) }
    }
    isEnded = false
    return { ...answer, ...streamed(text, pages), isCompressed }
  } finally {
    if (isEnded) await pages.return(undefined)
  }
}

/** Streams the buffered text, then further pages on demand. */
const streamed = (
  begun: string,
  pages: AsyncGenerator<WrittenPage>,
): Pick<AddressAnswer, 'body' | 'trailers'> => {
  let end: SearchEnd | undefined
  let isBegun = false
  const next = async (): Promise<IteratorResult<string>> => {
    if (!isBegun) {
      isBegun = true
      return { value: begun, done: false }
    }
    for (;;) {
      const { value: page, done } = await pages.next()
      if (done) return { value: undefined, done: true }
      end = page.end
      // An empty text would end the stream.
      if (page.text !== '') return { value: page.text, done: false }
    }
  }
  // Not a generator: one that never began would not end the pages.
  const iterator = {
    next,
    return: async (): Promise<IteratorResult<string>> => {
      await pages.return(undefined)
      return { value: undefined, done: true }
    },
  }
  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    trailers: {
      'fonds-cut': () => (end && headersOf(end)['fonds-cut']) ?? '',
      'fonds-resume-key': () => (end && headersOf(end)['fonds-resume-key']) ?? '',
    },
  }
}

const headersOf = ({ cut, resume }: SearchEnd): Readonly<Record<string, string>> => ({
  ...(cut && { 'fonds-cut': cut }),
  ...(cut && resume && { 'fonds-resume-key': resumeKeyOf(resume) }),
})
