import { count, plural } from '../../../domain/kernel/amounts.ts'
import type { SummaryAnswer } from './answers.ts'
import { withTitle } from './titles.ts'

/** The summary in sentences, without zeros. */
export const summaryLines = (answer: SummaryAnswer): readonly string[] => {
  const { works, documents, refusals } = answer
  const largest = answer.largest.filter(({ size }) => size > 1)
  const all = works.visible + works.invisible + works.deleted
  if (all === 0)
    return ['no work has come in yet: `fonds produce fonds.matching.works <file> --wait` sends records']
  return [
    `${plural(all, 'work')}${inBrackets(works)}, ${plural(answer.links, 'link')}, ` +
      `${plural(answer.placeholders, 'id')} that no source describes`,
    `${plural(answer.components, 'graph')} in generation ${answer.generation}: ${sizesOf(answer)}`,
    `documents: ${counted(documents) || 'none'}`,
    ...(largest.length > 0
      ? [
          'largest graphs:',
          ...largest.map(
            ({ component, title, size }) => `  ${plural(size, 'work')}: ${withTitle(component, title)}`,
          ),
        ]
      : []),
    ...(Object.keys(refusals).length > 0
      ? [`refused: ${counted(refusals)}: see \`fonds matching refused\``]
      : []),
    ...(answer.corrected > 0
      ? [`${plural(answer.corrected, 'work')} came again with other content under the same version`]
      : []),
    answer.unmatched + answer.unindexed + answer.faults === 0
      ? 'at rest: everything that was accepted can be seen'
      : `not at rest: ${plural(answer.unmatched, 'work')} to be matched, ${plural(answer.unindexed, 'graph')} to be ` +
        `indexed, ${plural(answer.faults, 'fault')}: see \`fonds matching stuck\``,
  ]
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${count(n)} ${name}`)
    .join(', ')

const inBrackets = (counts: Readonly<Record<string, number>>): string => {
  const text = counted(counts)
  return text === '' ? '' : ` (${text})`
}

const maxSizes = 8

const sizesOf = ({ sizes }: SummaryAnswer): string => {
  const some = sizes
    .slice(0, maxSizes)
    .map(({ size, components }) => `${count(components)} of ${plural(size, 'work')}`)
  return [...some, ...(sizes.length > maxSizes ? ['larger ones'] : [])].join(', ') || 'none'
}
