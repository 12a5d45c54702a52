import { plural } from '../../../domain/kernel/amounts.ts'
import type { Block, Column } from '../../runtime/shown.ts'
import type { FieldPair, RecordSide, RecordsAnswer } from './answers.ts'
import { namesIn } from './titles.ts'
import { whyLines } from './why-lines.ts'

type NameOf = (id: string) => string

/** Two records side by side: whether they are one, field by field, and what links them. */
export const recordsBlocks = (answer: RecordsAnswer, history: readonly string[] = []): readonly Block[] => {
  const { a, b, fields, named, why, titles } = answer
  const nameOf = namesIn(titles)
  if (a.id === b.id) return [`${nameOf(a.id)} is the same record as itself.`]
  const columns: readonly Column[] = [
    { key: 'field' },
    { key: 'a', title: a.id, show: shown },
    { key: 'b', title: b.id, show: shown },
    {
      key: 'agrees',
      title: ' ',
      show: (_, row) => agreesInWords(row as FieldPair),
      tone: (agrees) => (agrees === 'same' ? 'quiet' : agrees === 'differs' ? 'warning' : undefined),
    },
  ]
  return [
    verdict(answer, nameOf),
    ...[a, b].flatMap((side) => stateLines(side, nameOf)),
    '',
    ...(fields.length > 0 ? [{ rows: fields, columns }] : ['Neither has a field.']),
    '',
    ...(why ? whyLines(why, history) : notSearched(answer)),
    ...named.map(
      ({ id, a: one, b: other }) =>
        `Both name ${nameOf(id)}: ${a.id} ${reasonsOf(one)}, ${b.id} ${reasonsOf(other)}.`,
    ),
  ]
}

/** Whether readers get one work for both, and which. */
const verdict = ({ a, b, why, isTooLarge }: RecordsAnswer, nameOf: NameOf): string => {
  const both = `${nameOf(a.id)} and ${nameOf(b.id)}`
  if (a.component === null || b.component === null) return `${both} cannot be compared by their graphs yet.`
  if (a.component !== b.component) return `${both} are not merged: they are in two graphs.`
  if (a.shownAs !== null && a.shownAs === b.shownAs)
    return `${both} are merged: readers get ${nameOf(a.shownAs)}, the first visible record by the order of sources.`
  if (why || isTooLarge)
    return `${both} are in one graph, and not merged: ${[a, b].map((side) => shownInWords(side, nameOf)).join(', ')}.`
  return `${both} are in one graph.`
}

const shownInWords = ({ id, state, document, shownAs }: RecordSide, nameOf: NameOf): string => {
  if (state === 'placeholder') return `${nameOf(id)} is described by no source`
  if (document === null) return `the document of ${nameOf(id)} is not written yet`
  return shownAs === null
    ? `${nameOf(id)} is not shown`
    : shownAs === id
      ? `${nameOf(id)} is shown as it is`
      : `${nameOf(id)} redirects to ${nameOf(shownAs)}`
}

/** Why there is less to compare than a person may expect. */
const stateLines = ({ id, state, component, namedBy }: RecordSide, nameOf: NameOf): readonly string[] => [
  ...(state === 'placeholder'
    ? [`${nameOf(id)} is named by ${plural(namedBy, 'work')}, and no source describes it: it has no fields.`]
    : []),
  ...(state === 'deleted' ? [`${nameOf(id)} is deleted: what it said last is shown.`] : []),
  ...(component === null
    ? [`${nameOf(id)} is in no graph yet; the matcher, where it runs, will come to it.`]
    : []),
]

const notSearched = ({ isTooLarge }: RecordsAnswer): readonly string[] =>
  isTooLarge ? ['Their graph is too large to be searched here; `fonds matching why` does.'] : []

const reasonsOf = (reasons: readonly string[]): string =>
  reasons.length === 0 ? 'without a reason' : `(${reasons.join(', ')})`

const agreesInWords = ({ agrees, both }: FieldPair): string =>
  ({
    same: 'the same',
    differs: both.length > 0 ? `differs; both: ${both.map(shown).join(', ')}` : 'differs',
    'only-a': 'the first alone',
    'only-b': 'the second alone',
  })[agrees]

const shown = (value: unknown): string =>
  value === null
    ? ''
    : typeof value === 'string'
      ? value
      : Array.isArray(value)
        ? value.map(shown).join(', ')
        : JSON.stringify(value)
