import { isLeft } from 'fp-ts/lib/Either.js'
import type { SearchAnswer, SearchGroup } from '../../app/search/answer.ts'
import { findersOf, search, whyNotText } from '../../app/search/search.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import type { Format } from '../output/formats.ts'
import { count } from '../output/text.ts'
import { parsePoint } from '../point.ts'

interface FindOptions {
  readonly kind?: readonly string[]
  readonly limit?: number
  readonly asOf?: string
  readonly format?: Format
}

const maxLimit = 1000

export const run = async (
  session: Session,
  words: readonly string[],
  { kind: kinds, limit = 20, format, ...options }: FindOptions,
): Promise<CliFailure | undefined> => {
  const text = words.join(' ')
  const whyNot = whyNotText(text)
  if (whyNot !== undefined) return usage(`<text> ${whyNot}`)
  if (limit < 1 || limit > maxLimit) return usage(`--limit takes a number from 1 to ${count(maxLimit)}`)
  const asOf = options.asOf === undefined ? undefined : parsePoint(options.asOf)
  if (asOf && isLeft(asOf)) return usage(asOf.left)
  const opened = await session.home()
  // A home has the workflows without their commands and questions, which are searched, too.
  const { workflows } = await import('../../workflows/all.ts')
  const home = { ...opened, workflows }
  const known = (await findersOf(home)).map(({ kind }) => kind)
  const unknown = kinds?.find((kind) => !known.includes(kind))
  if (unknown !== undefined) return usage(`there is no kind ${unknown}`, didYouMean(unknown, known))
  await freshViews(session, opened)
  const answer = await search(home, { text, kinds, limit, asOf: asOf?.right, signal: session.signal })
  for (const { title, because } of answer.leftOut) session.say(`${title} are left out: ${because}`)
  if (answer.groups.length === 0)
    return refused(
      `nothing is called ${JSON.stringify(answer.text)}, and no id, path or name begins so`,
      'ids and paths are compared in their own case; `fonds query <view> --where` compares any column',
    )
  await write(session, answer, format)
  for (const { title, hits, total, isAll } of answer.groups)
    if (!isAll || total > hits.length)
      session.say(`${title}: ${count(hits.length)} of ${isAll ? '' : 'more than '}${count(total)}`)
  return undefined
}

const write = ({ output }: Session, { groups }: SearchAnswer, format: Format | undefined): Promise<void> =>
  writeRows(output, [groups.flatMap(rowsOf)], {
    ...(format && { format }),
    columns: [
      { key: 'kind' },
      { key: 'id', leaveOut: 'middle', tone: (_, row) => (row.exact ? 'good' : undefined) },
      { key: 'title' },
      { key: 'note', tone: () => 'quiet' },
      // It is there to be copied.
      { key: 'command', isWhole: true },
    ],
  })

const rowsOf = ({ kind, hits }: SearchGroup) => hits.map((hit) => ({ kind, ...hit }))
