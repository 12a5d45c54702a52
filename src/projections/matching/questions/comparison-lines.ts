import { count, plural } from '../../../domain/kernel/amounts.ts'
import type { Document } from '../../../domain/matching/merged/document.ts'
import type { Comparison } from './answers.ts'
import { withTitle } from './titles.ts'

/** How two generations differ, in sentences. */
export const comparisonLines = (answer: Comparison): readonly string[] => {
  const { first, second, same, different, onlyInFirst, onlyInSecond, examples } = answer
  const differ = different + onlyInFirst + onlyInSecond
  return [
    differ === 0
      ? `generations ${first} and ${second} show the same: ${plural(same, 'document')}`
      : `generations ${first} and ${second}: ${count(same)} the same, ${count(different)} different, ` +
        `${count(onlyInFirst)} only in ${first}, ${count(onlyInSecond)} only in ${second}`,
    ...examples.flatMap((example) => [
      `  ${withTitle(example.work, example.title)}`,
      `    ${first}: ${inWords(example.first)}`,
      `    ${second}: ${inWords(example.second)}`,
    ]),
  ]
}

/** A work's document in words. */
export const inWords = (document: Document | null): string => {
  if (document === null) return 'nothing'
  switch (document.kind) {
    case 'merged':
      return [
        `shown as ${document.title === undefined ? 'a work without a title' : `“${short(document.title)}”`}`,
        ...(document.size > 1 ? [`with ${plural(document.size - 1, 'other')}`] : []),
        ...(Object.keys(document.fields).length > 0 ? [short(JSON.stringify(document.fields))] : []),
      ].join(', ')
    case 'redirect':
      return `redirects to ${document.to}`
    default:
      return document.kind
  }
}

const maxLength = 200
const short = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text)
