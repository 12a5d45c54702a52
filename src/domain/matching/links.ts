import type { Link } from './events.ts'
import { byId } from './work.ts'

/** A link as a source states it, one reason at a time. */
export interface StatedLink {
  readonly to: string
  readonly reason: string
}

/** Normalises a work's links: order and repetition do not matter; a link to itself is dropped. */
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
