import type { Apart, Hop, LinkLine, Together, WhyAnswer } from './answers.ts'
import { causesInWords } from './cause-words.ts'
import { namesIn } from './titles.ts'

/**
 * Why two works are in one graph, or are not, in sentences; `history` is added if their beginning or end is before the
 * known history.
 */
export const whyLines = (answer: WhyAnswer, history: readonly string[] = []): readonly string[] => {
  const lines = answer.kind === 'together' ? together(answer) : apart(answer, history.length === 0)
  const isKnown = answer.kind === 'together' ? answer.since !== null : answer.lastTogether !== null
  return isKnown || answer.a === answer.b ? lines : [...lines, ...history]
}

const together = ({ a, b, path, parting, since, titles }: Together): readonly string[] => {
  const nameOf = namesIn(titles)
  if (a === b) return [`${nameOf(a)} is the same work as itself.`]
  const one = `${nameOf(a)} and ${nameOf(b)} are one${since === null ? '' : `, since ${since}`}`
  if (path.length === 0)
    return [`${one}, by links that were dropped since: the matcher has yet to come to that.`]
  return [
    `${one}:`,
    ...path.flatMap((hop) => hopLines(hop, nameOf)),
    ...(parting.length === 0
      ? ['No single link parts them.']
      : parting.map(({ links }) => `Without ${linkNames(links)} they would part.`)),
  ]
}

const apart = ({ a, b, lastTogether, cut, titles }: Apart, isWholeHistory: boolean): readonly string[] => {
  const nameOf = namesIn(titles)
  return [
    `${nameOf(a)} and ${nameOf(b)} are not one.`,
    ...(lastTogether === null
      ? isWholeHistory
        ? ['They never were.']
        : []
      : [`They were until ${lastTogether.until}: ${causesInWords(lastTogether.causes, undefined, nameOf)}.`]),
    ...cut.map(
      (link) => `${sentenceCase(linkNames([link], nameOf))} would join them, if its deleted end came back.`,
    ),
  ]
}

type NameOf = (id: string) => string

const asIs: NameOf = (id) => id

const hopLines = ({ from, to, links }: Hop, nameOf: NameOf): readonly string[] =>
  links.length === 0
    ? [`  ${nameOf(from)} and ${nameOf(to)}`]
    : links.map(
        (link) =>
          `  ${arrow(link, nameOf)}${reasonsOf(link, ': ')} (stated by ${link.from} since ${link.statedAt})`,
      )

const arrow = ({ from, to }: LinkLine, nameOf: NameOf): string => `${nameOf(from)} → ${nameOf(to)}`

const reasonsOf = ({ reasons }: LinkLine, before: string, after = ''): string =>
  reasons.length === 0 ? '' : `${before}${reasons.join(', ')}${after}`

const linkNames = (links: readonly LinkLine[], nameOf = asIs): string =>
  `the link${links.length === 1 ? '' : 's'} ${links.map((link) => `${arrow(link, nameOf)}${reasonsOf(link, ' (', ')')}`).join(' and ')}`

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
