import { byId } from '../work.ts'
import { combine } from './combine.ts'
import { type Document, maxNamed, maxNamedCharacters } from './document.ts'
import type { Rules } from './rules.ts'
import { inPrecedence, type MergeWork, targetOf } from './target.ts'

/** Connected works, which are merged. */
interface MergeComponent {
  /** The smallest id. */
  readonly component: string
  readonly members: readonly MergeWork[]
}

/**
 * Returns the document of each work of a component: one merged work, and redirects to it for the others. If no work may
 * be the target, nothing merges: visible works are merged works of their own. The result depends on the works and the
 * rules alone: not on the order of the works, not on links, not on any clock (M9).
 */
export const documentsOf = (
  { component, members }: MergeComponent,
  rules: Rules,
): ReadonlyMap<string, Document> => {
  const present = inPrecedence(
    members.filter(({ state }) => state !== 'deleted'),
    rules,
  )
  const target = targetOf(present, rules)

  /** Works in the order of precedence, the target first. */
  const merged = (works: readonly MergeWork[]): Document => {
    const redirecting = works.slice(1).map(({ id }) => id)
    return {
      kind: 'merged',
      component,
      size: works.length,
      from: firstOf(redirecting.toSorted(byId)),
      ...combine(works, rules),
    }
  }

  const documentOf = (work: MergeWork): Document => {
    if (work.state === 'deleted') return { kind: 'deleted', component }
    if (work === target) return merged([target, ...present.filter((other) => other !== target)])
    if (target) return { kind: 'redirect', component, to: target.id }
    return work.state === 'visible' ? merged([work]) : { kind: 'hidden', component }
  }

  return new Map(members.map((work) => [work.id, documentOf(work)]))
}

/** Returns as many ids as a document may name. */
const firstOf = (ids: readonly string[]): string[] => {
  const named: string[] = []
  let room = maxNamedCharacters
  for (const id of ids.slice(0, maxNamed)) {
    room -= id.length
    if (room < 0) break
    named.push(id)
  }
  return named
}
