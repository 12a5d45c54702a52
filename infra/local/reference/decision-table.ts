import { type Finding, rules, type Settler } from '../../../src/domain/fixity/rules.ts'
import { code, table } from './table.ts'

const settlers: Readonly<Record<Settler, string>> = {
  internal: 'internal',
  external: 'external',
  manual: 'a person decides',
  replica: 'internal with a good replica, else external',
}

const followUps: Readonly<Record<Finding['mending'][number], string>> = {
  'correct-index': 'the index is corrected',
  'remove-index': 'the index entry is removed',
  're-audit': 're-audit',
  'supplement-audit': 'the audit log is supplemented',
}

const outcomeOf = ({ outcome, lag, settler, mending }: Finding): string =>
  [
    lag ? `lag, then ${outcome}` : outcome,
    ...(settler ? [settlers[settler]] : []),
    ...mending.map((one) => followUps[one]),
  ].join('; ')

/** Splits at bars outside of brackets. */
const alternatives = (source: string): readonly string[] => {
  const found = ['']
  let depth = 0
  for (const char of source) {
    if (char === '(') depth++
    if (char === ')') depth--
    if (char === '|' && depth === 0) found.push('')
    else found[found.length - 1] += char
  }
  return found
}

/** Expands groups and classes: `(A[A?]|nA)-` is `AA-`, `A?-`, `nA-`. A dot, for any witness, stays. */
export const expanded = (source: string): readonly string[] => {
  const some = alternatives(source)
  if (some.length > 1) return some.flatMap(expanded)
  const [, first = '', rest = ''] = /^(\([^)]*\)|\[[^\]]*\]|.)(.*)$/.exec(source) ?? []
  if (first === '') return ['']
  const heads =
    first.length === 1
      ? [first]
      : first.startsWith('[')
        ? [...first.slice(1, -1)]
        : expanded(first.slice(1, -1))
  return heads.flatMap((head) => expanded(rest).map((tail) => head + tail))
}

/** The rules of fixity, in the order in which they are tried. */
export const decisionTable = (): string =>
  table(
    ['row', 'pattern', 'what happened', 'outcome'],
    rules.map(([pattern, finding]) => [
      finding.row,
      expanded(pattern.source.slice('^('.length, -')$'.length)).map(code).join(' '),
      finding.because,
      outcomeOf(finding),
    ]),
  )
