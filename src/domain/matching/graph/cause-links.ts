import type { Cause, LinkChange } from './events.ts'
import type { DecidingLink } from './link-changes.ts'

/* Bytes as JSON, at most: a UTF-16 unit takes three in UTF-8, an escaped one two. */

export const textBytes = (text: string): number => 3 * text.length + 3

const linkBytes = ([from, to]: LinkChange): number => textBytes(from) + textBytes(to) + 20

export const causeBytes = ({ work, type, made = [], lost = [] }: Cause): number =>
  [...made, ...lost].reduce((sum, link) => sum + linkBytes(link), textBytes(work) + type.length + 80)

/** A cause with its deciding links: as several of at most so many bytes of links each, or of one link. */
export const withLinks = (
  cause: Cause,
  links: readonly DecidingLink[],
  maxBytes: number,
): readonly Cause[] => {
  if (links.length === 0) return [cause]
  const causes: Cause[] = []
  let room = 0
  for (const { from, to, effect, revision } of links) {
    const link: LinkChange = [from, to, revision]
    const bytes = linkBytes(link)
    if (causes.length === 0 || bytes > room) {
      causes.push({ ...cause })
      room = maxBytes
    }
    room -= bytes
    const last = causes.at(-1)!
    const others = last[effect]
    if (others) others.push(link)
    else last[effect] = [link]
  }
  return causes
}
