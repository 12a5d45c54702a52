import type { Link } from './events.ts'
import { byId } from './work.ts'

/** A link as a source states it, one reason at a time. */
export interface StatedLink {
  readonly to: string
  readonly reason: string
}

/** What a work's links say, whatever order and repetition they came in; a link to itself says nothing. */
export const normaliseLinks = (work: string, stated: readonly StatedLink[]): Link[] => {
  const reasons = new Map<string, Set<string>>()
  for (const { to, reason } of stated) {
    if (to === work) continue
    const given = reasons.get(to)
    if (given) given.add(reason)
    else reasons.set(to, new Set([reason]))
  }
  return sortedLinks([...reasons].map(([to, given]) => ({ to, reasons: [...given].toSorted() })))
}

export const sortedLinks = (links: readonly Link[]): Link[] =>
  links.toSorted((one, other) => byId(one.to, other.to))
