import type { System } from '../app/system.ts'
import { rows } from '../domain/kernel/read-views.ts'
import type { Condition, ViewShape } from '../domain/kernel/view.ts'

const most = 3

/**
 * Ids that begin like a mistyped one, from views whose key is an id, or two ids with a slash between. Each query uses the
 * key, so it is cheap.
 */
export const nearIds = ({ viewStore }: Pick<System, 'viewStore'>, id: string): readonly string[] => {
  const found = new Set<string>()
  for (const view of viewStore.views().filter(isNamed))
    for (const begin of beginnings(id)) {
      const where = conditions(view, begin)
      if (!where) continue
      for (const row of rows(viewStore, view, { where, limit: most }))
        found.add(view.key.map((column) => String(row[column])).join('/'))
      if (found.size > 0) break
    }
  found.delete(id)
  return [...found].slice(0, most)
}

const isNamed = ({ key, columns }: ViewShape): boolean =>
  key.length <= 2 && key.every((column) => columns[column] === 'text')

/** Shorter and shorter prefixes, but none so short that it matches anything. */
const beginnings = (id: string): readonly string[] =>
  [1, 0.8, 0.6].map((part) => id.slice(0, Math.ceil(id.length * part))).filter((begin) => begin.length > 1)

const conditions = ({ key }: ViewShape, begin: string): readonly Condition[] | undefined => {
  const [first, second] = key
  if (first === undefined) return undefined
  if (second === undefined) return [{ column: first, is: 'prefix', value: begin }]
  const slash = begin.indexOf('/')
  if (slash < 0) return undefined
  return [
    { column: first, is: '=', value: begin.slice(0, slash) },
    { column: second, is: 'prefix', value: begin.slice(slash + 1) },
  ]
}
