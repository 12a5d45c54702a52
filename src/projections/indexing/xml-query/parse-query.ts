import * as E from 'fp-ts/lib/Either.js'

/** Query of OpenWayback to a remote index, as an OpenSearch query. */
export interface XmlQuery {
  /** Captures of one URL, or the URLs that begin with it. */
  readonly type: 'urlquery' | 'prefixquery'
  readonly url: string
  /** 1 to 14 digits: the captures nearest to it are given, and the nearest is marked. */
  readonly date?: string
  /** First and last time of captures, 1 to 14 digits. */
  readonly startDate?: string
  readonly endDate?: string
  readonly count: number
  /** From 1 on. */
  readonly startPage: number
}

export interface XmlQueryParameters {
  /** Terms `name:value`, parted by blanks, each value encoded once more as in a form. */
  readonly q: string
  readonly count?: string | undefined
  readonly start_page?: string | undefined
}

const defaultCount = 10_000
export const maxCount = 100_000

/** Parses a query. Ignores unknown terms: they are meant for other parts of OpenWayback. Left: a sentence. */
export const parseQuery = ({ q, count, start_page }: XmlQueryParameters): E.Either<string, XmlQuery> => {
  const terms = termsOf(q)
  const type = terms.get('type')?.toLowerCase() ?? 'urlquery'
  if (type !== 'urlquery' && type !== 'prefixquery')
    return E.left(`q: the type ${type} is not known; ask for type:urlquery or type:prefixquery`)
  const url = terms.get('url')
  if (!url) return E.left('q: there is no url; ask for type:urlquery url:<address, encoded>')

  const given = ['date', 'startdate', 'enddate'].map((name) => [name, terms.get(name)] as const)
  const wrong = given.find(([, time]) => time !== undefined && !/^\d{1,14}$/.test(time))
  if (wrong) return E.left(`q: the ${wrong[0]} ${wrong[1]} is not one of 1 to 14 digits`)
  const [date, startDate, endDate] = given.map(([, time]) => time)

  const perPage = count ?? terms.get('limit') ?? String(defaultCount)
  if (!isCount(perPage)) return E.left(`count: ${perPage} is no whole number from 1 to ${maxCount}`)
  const startPage = start_page ?? '1'
  if (!/^\d{1,9}$/.test(startPage)) return E.left(`start_page: ${startPage} is no whole number from 1 on`)

  return E.right({
    type,
    url,
    count: Number(perPage),
    startPage: Math.max(1, Number(startPage)),
    ...(date !== undefined && { date }),
    ...(startDate !== undefined && { startDate }),
    ...(endDate !== undefined && { endDate }),
  })
}

const isCount = (text: string): boolean =>
  /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= maxCount

const termsOf = (q: string): ReadonlyMap<string, string> =>
  new Map(
    q
      .split(/\s+/)
      .filter((term) => term.includes(':'))
      .map((term) => {
        const colon = term.indexOf(':')
        return [term.slice(0, colon).toLowerCase(), decoded(term.slice(colon + 1))] as const
      }),
  )

/** Decodes a value as in a form: a plus is a blank. Text that is not percent-encoded UTF-8 stays as it is. */
const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '))
  } catch {
    return value
  }
}
