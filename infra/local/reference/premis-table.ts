import { term, termUri } from '@fonds/premis'
import type {
  EventTypeWord,
  Exported,
  OutcomeBy,
  PremisMapping,
  Rule,
} from '../../../src/domain/kernel/premis.ts'
import type { WorkflowModel } from '../../../src/workflows/workflow-model.ts'
import { code, table } from './table.ts'

/** Mapping of each workflow's events to PREMIS, made of its data. */
export const premisTable = async (workflows: readonly WorkflowModel[]): Promise<string> => {
  const parts = await Promise.all(workflows.map(ofWorkflow))
  return parts.filter((part) => part !== '').join('\n\n')
}

const ofWorkflow = async ({ name, premis }: WorkflowModel): Promise<string> => {
  const model = await premis?.()
  if (!model) return ''
  if (model.kind === 'not-exported') return `### ${name}\n\nNone of its events is exported: ${model.because}.`
  const { mapping } = model
  return `### ${name}\n\n${table(
    ['event', 'when', 'eventType', 'agents', 'object', 'eventOutcome', 'note'],
    exportedRows(mapping),
  )}\n\nNot exported:\n\n${table(['events', 'because'], leftOutRows(mapping))}`
}

type Row = readonly string[]

const exportedRows = (mapping: PremisMapping): readonly Row[] =>
  Object.values(mapping).flatMap((category) =>
    'kind' in category
      ? []
      : Object.entries(category.events).flatMap(([type, rule]) =>
          casesOf(rule).flatMap(([when, one]) =>
            one.kind === 'not-exported'
              ? []
              : [
                  [
                    code(type),
                    when,
                    wordOf(one.type),
                    agentsOf(one),
                    category.thing.says,
                    outcomesOf(one.outcome),
                    (one.note ?? []).map(code).join(', '),
                  ],
                ],
          ),
        ),
  )

/** Events by the reason why they are not exported. Of an event that is exported in some cases, the other ones are named. */
const leftOutRows = (mapping: PremisMapping): readonly Row[] => {
  const byReason = new Map<string, string[]>()
  const note = (because: string, what: string) =>
    byReason.set(because, [...(byReason.get(because) ?? []), what])
  for (const [name, category] of Object.entries(mapping)) {
    if ('kind' in category) note(category.because, `all of ${code(name)}`)
    else
      for (const [type, rule] of Object.entries(category.events))
        for (const [when, one] of casesOf(rule))
          if (one.kind === 'not-exported')
            note(one.because, when === '' ? code(type) : `${code(type)} (${when})`)
  }
  return [...byReason].map(([because, events]) => [[...new Set(events)].join(', '), because])
}

type Case = readonly [when: string, rule: Exclude<Rule, { readonly kind: 'by' }>]

const casesOf = (rule: Rule, when: readonly string[] = []): readonly Case[] => {
  if (rule.kind !== 'by') return [[when.join(', '), rule]]
  const { field, cases, otherwise } = rule
  return [
    ...Object.entries(cases).flatMap(([value, one]) => casesOf(one, [...when, conditionOf(field, value)])),
    ...casesOf(otherwise, [...when, `other ${code(field)}`]),
  ]
}

const conditionOf = (field: string, value: string): string =>
  value === 'present'
    ? `with ${code(field)}`
    : value === 'absent'
      ? `without ${code(field)}`
      : `${code(field)} ${value}`

const wordOf = (word: EventTypeWord): string =>
  typeof word === 'object' && 'field' in word ? `the word in ${code(word.field)}` : fixedWordOf(word)

const fixedWordOf = (word: Exclude<EventTypeWord, { readonly field: string }>): string =>
  typeof word === 'string' ? `[${word}](${termUri(term('eventType', word))})` : `${word.own} *(our own)*`

const agentsOf = ({ program }: Exported): string =>
  ['Fonds, the actor', ...(program ? [`the program in ${code(program)}`] : [])].join(', ')

const outcomesOf = (outcome: string | OutcomeBy | undefined): string => {
  if (outcome === undefined) return '–'
  if (typeof outcome === 'string') return outcome
  const { field, as, unless } = outcome
  return [
    ...Object.entries(as).map(([value, word]) => `${word} for ${value}`),
    ...(unless ? [`${unless.outcome} where ${code(unless.field)} begins with ${unless.begins}`] : []),
  ]
    .join(', ')
    .replace(/^/, `by ${code(field)}: `)
}
