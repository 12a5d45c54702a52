import { setImmediate } from 'node:timers/promises'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { HistoryNotKept, TooManyRows, ViewQueryError } from '../../domain/kernel/view.ts'
import type { Point } from '../../ports/view-store.ts'
import type { Finder, Hits, SearchedViews } from '../../projections/runtime/finder.ts'
import { viewsAsOf } from '../../projections/runtime/history.ts'
import { askedOf } from '../ask-question.ts'
import type { Home } from '../system.ts'
import type { SearchAnswer, SearchGroup } from './answer.ts'
import { declaredFinders } from './declared-finders.ts'

/** Longest text. Ids have up to 4,096 characters, and the name of a store stands before some. */
export const maxTextLength = 5000

/** A search that takes longer leaves the rest out. */
const patienceMillis = 2000

export interface SearchAsked {
  readonly text: string
  /** These alone; absent: all. */
  readonly kinds?: readonly string[] | undefined
  /** Most hits of a kind. */
  readonly limit: number
  readonly asOf?: Point | undefined
  readonly signal: AbortSignal
}

export const findersOf = async ({ workflows }: Pick<Home, 'workflows'>): Promise<readonly Finder[]> => {
  const own = await Promise.all(workflows.map((workflow) => workflow.finders?.() ?? []))
  return [...own.flat(), ...(await declaredFinders(workflows))]
}

/** Returns a sentence if the text cannot be searched for. */
export const whyNotText = (text: string): string | undefined => {
  if (text.trim() === '') return 'is empty: give an id, the beginning of a path, or words of a title'
  if (text.length > maxTextLength)
    return `has ${text.length.toLocaleString('en')} characters; nothing has a longer name than ${maxTextLength.toLocaleString('en')}: search for its beginning`
  return undefined
}

/** Asks every finder, one after the other. What cannot be looked at is left out with the reason; nothing is folded. */
export const search = async (
  home: Home,
  { text, kinds, limit, asOf, signal }: SearchAsked,
): Promise<SearchAnswer> => {
  const { eventStore } = home
  const of = askedOf(home)
  const wanted = { text: text.trim(), limit }
  const reference = await referenceOf(home, wanted.text)
  const start = performance.now()
  const groups: SearchGroup[] = []
  const leftOut: SearchAnswer['leftOut'][number][] = []
  for (const finder of await findersOf(home)) {
    const { kind, title } = finder
    if (kinds && !kinds.includes(kind)) continue
    const leave = (because: string) => void leftOut.push({ kind, title, because })
    if (performance.now() - start > patienceMillis) {
      leave('there was no time left')
      continue
    }
    try {
      const views = await viewsFor(home, finder, asOf)
      const searched = { views, eventStore, of, ...(asOf && { asOf }), signal }
      const plain = await finder.find(searched, wanted)
      const found =
        plain.total === 0 && reference !== undefined
          ? await finder.find(searched, { ...wanted, text: reference })
          : plain
      if (found.total > 0) groups.push(groupOf(finder, found))
      for (const because of found.notCompared ?? []) leave(because)
    } catch (error) {
      leave(whyNot(error))
    }
    // Others are answered in between.
    await setImmediate(undefined, { signal })
  }
  return { text: wanted.text, groups: sorted(groups), leftOut }
}

/** Things may have a whole value by reference, and no beginning of it. */
const referenceOf = async ({ config, personal }: Home, text: string): Promise<string | undefined> =>
  config.personalValues === 'off' ? undefined : orThrow(personal.referenceOf(text), 'personal values')

const viewsFor = async (
  home: Home,
  { projection }: Finder,
  asOf: Point | undefined,
): Promise<SearchedViews> => {
  const { viewStore } = home
  if (!projection) return viewStore
  if (!viewStore.live(projection.name))
    throw new ViewQueryError(`the views of ${projection.name} have not been folded yet`)
  return asOf ? (await viewsAsOf(projection, home, asOf)).views : viewStore
}

/** Rethrows what is a bug. */
const whyNot = (error: unknown): string => {
  const isExpected = [HistoryNotKept, TooManyRows, ViewQueryError, UnavailableError].some(
    (Expected) => error instanceof Expected,
  )
  if (isExpected) return (error as Error).message
  throw error
}

const groupOf = ({ kind, title }: Finder, { hits, total, isAll }: Hits): SearchGroup => ({
  kind,
  title,
  hits: hits.map(({ id, title = null, note = null, isExact, command, page }) => ({
    ...{ id, title, note, exact: isExact, command },
    ...(page !== undefined && { page }),
  })),
  total,
  isAll,
})

/** Exact hits first, and the groups that have some. */
const sorted = (groups: readonly SearchGroup[]): readonly SearchGroup[] => {
  const exactFirst = groups.map((group) => ({
    ...group,
    hits: [...group.hits.filter(({ exact }) => exact), ...group.hits.filter(({ exact }) => !exact)],
  }))
  const hasExact = ({ hits }: SearchGroup) => hits[0]?.exact === true
  return [...exactFirst.filter(hasExact), ...exactFirst.filter((group) => !hasExact(group))]
}
