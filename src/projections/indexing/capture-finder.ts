import { earliest, latest, surt } from '@fonds/cdx'
import { keysOfUrl } from '@fonds/cdx/server'
import { isRight } from 'fp-ts/lib/Either.js'
import { dayOf, inWords, TimeDigits } from '../../domain/indexing/captures/time-digits.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { commandLine, type Finder, type Hit, noHits, pageAt } from '../runtime/finder.ts'
import type { CaptureSource } from './captures/capture-source.ts'
import { findCaptures } from './captures/find-captures.ts'

/** Lines of the index that one search reads, and the milliseconds that they may take. */
const maxLines = 1000
const maxMillis = 50

interface Asked {
  readonly url: string
  /** Digits of a time: `2025`, `202503`, `20250304`. */
  readonly date?: string
}

/** A URL or a host, and perhaps a date behind it; undefined if the text is none. */
const askedBy = (text: string): Asked | undefined => {
  const [, url = '', typed] = /^(\S+?)(?:\s+(\d{4}(?:-?\d\d){0,2}))?$/.exec(text) ?? []
  if (!/^(?:[a-z][a-z0-9+.-]*:\S|[^\s/@]+\.[a-z]{2,}(?:[:/]|$))/i.test(url)) return undefined
  const date = typed === undefined ? undefined : TimeDigits.decode(typed)
  return { url, ...(date && isRight(date) && { date: date.right }) }
}

interface Captured {
  readonly first: string
  last: string
  captures: number
}

/** Captures by the beginning of their URL, and by their day, month or year. */
export const capturesFinder: Finder = {
  kind: 'indexing-captures',
  title: 'Captured URLs',
  find: async ({ of, asOf }, { text, limit }) => {
    const asked = askedBy(text)
    if (!asked) return noHits
    const { onCut: _, ...source } = await of.indexing.captures(asOf)
    const found = new Map<string, Captured>()
    const exact = await gather(source, asked, 'exact', found)
    const isWhole = (await gather(source, asked, 'prefix', found)) && exact
    const all = [...found]
    return {
      hits: all.slice(0, limit).map(([url, captured]) => hitOf(url, captured, asked)),
      total: all.length,
      isAll: isWhole,
    }
  },
}

/** Adds the URLs that are not there yet. False: there may be more. */
const gather = async (
  source: CaptureSource,
  { url, date }: Asked,
  match: 'exact' | 'prefix',
  found: Map<string, Captured>,
): Promise<boolean> => {
  const before = new Set(found.keys())
  let isWhole = true
  const query = {
    keys: keysOfUrl(match, url),
    ...(date !== undefined && { from: earliest(date), to: latest(date) }),
  }
  for await (const { lines, end } of findCaptures({ ...source, maxScanned: maxLines, maxMillis }, query)) {
    for (const { time, field } of lines) {
      const captured = field('url')
      if (before.has(captured)) continue
      const one = found.get(captured) ?? { first: time, last: time, captures: 0 }
      one.last = time
      one.captures++
      found.set(captured, one)
    }
    if (end?.cut) isWhole = false
  }
  return isWhole
}

const hitOf = (url: string, { first, last, captures }: Captured, { url: asked, date }: Asked): Hit => ({
  id: url,
  note: `${plural(captures, 'capture')}, ${first === last ? inWords(first) : `${dayOf(first)} to ${dayOf(last)}`}`,
  command: commandLine(`indexing captures${date === undefined ? '' : ` --from ${date} --to ${date}`}`, url),
  page: `${pageAt`/indexing/captures?url=${url}`}${placeOf(date, last)}`,
  isExact: surt(url) === surt(asked),
})

/** The day on the calendar, or its year. */
const placeOf = (date: string | undefined, last: string): string => {
  if (date === undefined) return ''
  return date.length === 8 ? pageAt`&day=${dayOf(date)}` : pageAt`&year=${last.slice(0, 4)}`
}
