import type { Condition, ViewShape } from '../ports/view-store.ts'
import type { System } from '../system/system.ts'

const most = 3

/**
 * Names of things that begin like a mistyped one, from whichever views are folded: those whose key is a name, or two
 * that a slash parts. Each question runs on the key, so it costs next to nothing.
 */
export const nearIds = ({ viewStore }: Pick<System, 'viewStore'>, id: string): readonly string[] => {
  const found = new Set<string>()
  for (const view of viewStore.views().filter(isNamed))
    for (const begin of beginnings(id)) {
      const where = conditions(view, begin)
      if (!where) continue
      for (const row of viewStore.query(view.name, { where, limit: most }))
        found.add(view.key.map((column) => String(row[column])).join('/'))
      if (found.size > 0) break
    }
  found.delete(id)
  return [...found].slice(0, most)
}

const isNamed = ({ key, columns }: ViewShape): boolean =>
  key.length <= 2 && key.every((column) => columns[column] === 'text')

/** Shorter and shorter, but never so short that anything would fit. */
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
