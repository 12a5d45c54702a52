import { sequenceS } from 'fp-ts/lib/Apply.js'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CaptureQuery, Collapse, Condition } from '../query/capture-query.ts'
import { matchTypes } from '../query/key-ranges.ts'
import { earliest, latest } from '../query/time-bounds.ts'
import { surt } from '../surt.ts'
import type { Dialect } from './cdx-request.ts'
import { outbackcdxFilters } from './filters.ts'
import { alternatives, keysAsked, meant } from './keys-asked.ts'
import { type CdxOutput, cdxjLines, cdxLines, fieldLines, jsonArrays, jsonObjects, typed } from './outputs.ts'
import type { Decoded } from './parameters.ts'
import {
  collapseOf,
  type Field,
  fieldsOf,
  flagOf,
  namedFields,
  numberOf,
  resumeOf,
  textOf,
  timeOf,
  wordOf,
} from './parameters.ts'

/** OutbackCDX, which pywb and OpenWayback use as a remote index. */
export const outbackcdx: Dialect = (parameters) =>
  pipe(
    sequenceS(E.Applicative)({
      asked: keysAsked(parameters, matchTypes, true),
      sort: wordOf(parameters, 'sort', ['default', 'reverse', 'closest']),
      closest: timeOf(parameters, 'closest'),
      from: timeOf(parameters, 'from'),
      to: timeOf(parameters, 'to'),
      filters: outbackcdxFilters(parameters),
      collapse: collapseAsked(parameters),
      fields: fieldsOf(parameters, ['fl']),
      output: wordOf(parameters, 'output', ['cdx', 'cdx9', 'cdx11', 'cdx14', 'json', 'jsondict', 'cdxj']),
      limit: numberOf(parameters, 'limit'),
      resume: resumeOf(parameters),
    }),
    E.map(({ asked, sort, closest, from, to, filters, collapse, fields, output, limit, resume }) => {
      // This is how pywb requests all keys with a prefix: it looks for one, and sets no limit.
      const isFuzzy = sort === 'closest' && closest === undefined && 'ranges' in asked.keys
      const most = limit ?? (isFuzzy ? maxFuzzy : undefined)
      const query: CaptureQuery = {
        keys: asked.keys,
        ...orderOf(sort, closest),
        ...(from !== undefined && { from: earliest(from) }),
        ...(to !== undefined && { to: latest(to) }),
        filters: [
          ...filters,
          ...meant(asked),
          ...(flagOf(parameters, 'omitSelfRedirects') ? [isNoSelfRedirect] : []),
        ],
        collapses: collapse ? [collapse] : [],
        ...(most !== undefined && { limit: most }),
        ...(resume && { resume }),
      }
      return { query, ...alternatives(asked), output: outputOf(output ?? 'cdx', fields) }
    }),
  )

const maxFuzzy = 10_000

const orderOf = (
  sort: 'default' | 'reverse' | 'closest' | undefined,
  closest: string | undefined,
): Pick<CaptureQuery, 'order'> => {
  if (sort === 'reverse') return { order: 'backwards' }
  return sort === 'closest' && closest !== undefined ? { order: { closest, tie: 'later' } } : {}
}

const collapseAsked = (parameters: URLSearchParams): Decoded<Collapse | undefined> => {
  for (const name of ['collapseToFirst', 'collapse'] as const) {
    const text = textOf(parameters, name)
    if (text !== undefined) return collapseOf(name, text, 'first')
  }
  const text = textOf(parameters, 'collapseToLast')
  return text === undefined ? E.right(undefined) : collapseOf('collapseToLast', text, 'last')
}

/** A redirect to the same key shows the reader the same again. */
const isNoSelfRedirect: Condition = (line) => {
  const redirect = line.field('redirect')
  return redirect === '-' || !/^3\d\d$/.test(line.field('status')) || surt(redirect) !== line.key
}

const names = namedFields(
  'urlkey timestamp original mimetype statuscode digest redirecturl robotflags length offset filename',
)

const outputOf = (
  output: 'cdx' | 'cdx9' | 'cdx11' | 'cdx14' | 'json' | 'jsondict' | 'cdxj',
  fields: readonly Field[] | undefined,
): CdxOutput => {
  switch (output) {
    case 'json':
      return jsonArrays(fields ?? names, typed)
    case 'jsondict':
      return jsonObjects(fields ?? names, typed)
    case 'cdxj':
      return cdxjLines(fields)
    default:
      return fields ? fieldLines(fields) : cdxLines(formats[output])
  }
}

const formats = { cdx: 'cdx-11', cdx9: 'cdx-9', cdx11: 'cdx-11', cdx14: 'cdx-14' } as const
