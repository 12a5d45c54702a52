import { jsonQuery } from './json-query.ts'
import { parseJson } from './parse-json.ts'
import { base64Mark, base64Query, formQuery, maxLength, requestQuery } from './request-url.ts'

/**
 * The parameters that stand for a body in the keys of all indexers, as somebody asks for it who need not say its media type. They are
 * readings of one text, the likeliest first: those of a later one count where nothing has a key of those before.
 */
export const askedQueries = (
  method: string,
  body: string,
  mime: string | undefined,
): readonly (readonly string[])[] => {
  if (!/^(?:POST|PUT)$/.test(method)) return [['']]
  if (mime !== undefined) return [ofMime(method, body, mime)]
  if (body === '') return [['', base64Mark]]
  if (body.startsWith(base64Mark)) return [[body]]
  const bytes = Buffer.from(body)
  const json = parseJson(body) === undefined && !body.includes('\n') ? [] : ofMime(method, body, 'text/plain')
  const form = formQuery(bytes) ?? body
  const asForm = unique([...json, clipped(form), ofBytes(bytes)])
  // Where keys were made of the text as it is, or the text is what a line has of the body: a + is no blank then.
  const asWritten = unique([clipped(body), body])
  // A key ends at a #, so that many bodies have that of the form: it tells nothing of which is meant.
  return form.includes('#') ? [unique([...asForm, ...asWritten])] : [asForm, asWritten]
}

const ofMime = (method: string, body: string, mime: string): readonly string[] => {
  const request = { method, mime, body: Buffer.from(body) }
  const isJson = mime.startsWith('application/json') || mime.startsWith('text/plain')
  const byScript = isJson ? jsonQuery(body, 'warcio.js') : undefined
  const queries = unique([
    requestQuery(request),
    requestQuery(request, 'pywb'),
    ...(byScript === undefined ? [] : [byScript, clipped(byScript)]),
  ])
  // A body that one of them cannot read has the key of a request without a body there: any such request would be found.
  const specific = queries.filter((query) => query !== '')
  return specific.length > 0 ? specific : queries
}

const ofBytes = (bytes: Uint8Array): string => clipped(base64Query(bytes))

const clipped = (text: string): string => [...text.slice(0, 2 * maxLength)].slice(0, maxLength).join('')

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)]
