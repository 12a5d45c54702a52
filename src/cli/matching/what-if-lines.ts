import type { Fate, WhatIfAnswer } from '../../projections/matching/answers.ts'
import { count, plural } from '../output/text.ts'

const mostNamed = 10
const mostChanged = 20

/** What a link would change, in sentences. */
export const whatIfLines = ({ change, stated, before, after, changed }: WhatIfAnswer): readonly string[] => {
  if (change.kind === 'drop' && !stated)
    return [`${change.from} does not name ${change.to}: there is no such link to drop.`]
  if (change.kind === 'add' && stated)
    return [`${change.from} names ${change.to} already: nothing would change.`]
  const link = `${change.from} → ${change.to}`
  const said = change.kind === 'drop' ? `without the link ${link}` : `with the link ${link}`
  const parts = after.length - before.length
  const verdict =
    parts > 0
      ? `they part: ${plural(after.length, 'graph')} instead of ${count(before.length)}`
      : parts < 0
        ? `they become one: ${plural(after.length, 'graph')} instead of ${count(before.length)}`
        : 'the same works stay together'
  return [
    `Now:`,
    ...before.map(fateLine),
    `${said.charAt(0).toUpperCase()}${said.slice(1)}, ${verdict}:`,
    ...after.map(fateLine),
    ...(changed.length === 0
      ? ['No work would be shown as another.']
      : [
          `${plural(changed.length, 'work')} would be shown as another:`,
          ...changed
            .slice(0, mostChanged)
            .map(({ work, before, after }) => `  ${work}: ${before}, then ${after}`),
          ...(changed.length > mostChanged ? [`  and ${count(changed.length - mostChanged)} more`] : []),
        ]),
  ]
}

const fateLine = ({ members, placeholders, target }: Fate): string =>
  [
    `  ${named(members)}`,
    ...(placeholders.length > 0 ? [`never described: ${named(placeholders)}`] : []),
    target === null ? 'not shown' : `shown as ${target}`,
  ].join('; ')

const named = (ids: readonly string[]): string => {
  const more = ids.length - mostNamed
  return `${ids.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`
}
