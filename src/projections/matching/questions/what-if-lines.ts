import { count, plural } from '../../../domain/kernel/amounts.ts'
import type { Outcome, WhatIfAnswer } from './answers.ts'
import { namesIn } from './titles.ts'

const maxNamed = 10
const maxChanged = 20

/** Effect of a link, in sentences. */
export const whatIfLines = (answer: WhatIfAnswer): readonly string[] => {
  const { change, stated, before, after, changed, titles } = answer
  const nameOf = namesIn(titles)
  if (change.kind === 'drop' && !stated)
    return [`${nameOf(change.from)} does not name ${nameOf(change.to)}: there is no such link to drop.`]
  if (change.kind === 'add' && stated)
    return [`${nameOf(change.from)} names ${nameOf(change.to)} already: nothing would change.`]
  const link = `${change.from} → ${change.to}`
  const condition = change.kind === 'drop' ? `without the link ${link}` : `with the link ${link}`
  const parts = after.length - before.length
  const verdict =
    parts > 0
      ? `they part: ${plural(after.length, 'graph')} instead of ${count(before.length)}`
      : parts < 0
        ? `they become one: ${plural(after.length, 'graph')} instead of ${count(before.length)}`
        : 'the same works stay together'
  return [
    `Now:`,
    ...before.map((outcome) => outcomeLine(outcome, nameOf)),
    `${condition.charAt(0).toUpperCase()}${condition.slice(1)}, ${verdict}:`,
    ...after.map((outcome) => outcomeLine(outcome, nameOf)),
    ...(changed.length === 0
      ? ['No work would be shown as another.']
      : [
          `${plural(changed.length, 'work')} would be shown as another:`,
          ...changed
            .slice(0, maxChanged)
            .map(({ work, before, after }) => `  ${work}: ${before}, then ${after}`),
          ...(changed.length > maxChanged ? [`  and ${count(changed.length - maxChanged)} more`] : []),
        ]),
  ]
}

type NameOf = (id: string) => string

const outcomeLine = ({ members, placeholders, target }: Outcome, nameOf: NameOf): string =>
  [
    `  ${named(members, nameOf)}`,
    ...(placeholders.length > 0 ? [`never described: ${named(placeholders, nameOf)}`] : []),
    target === null ? 'not shown' : `shown as ${target}`,
  ].join('; ')

const named = (ids: readonly string[], nameOf: NameOf): string => {
  const more = ids.length - maxNamed
  return `${ids.slice(0, maxNamed).map(nameOf).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}
