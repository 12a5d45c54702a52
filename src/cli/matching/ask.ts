import { Option } from 'commander'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { noGeneration, noWork, ofGeneration } from '../../api/matching/unknown.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import { matching } from '../../projections/matching/projection.ts'
import { generationOf, generationRow } from '../../projections/matching/reading.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { wholeNumber } from '../numbers.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { foldPast } from '../past-views.ts'
import { parsePoint } from '../point.ts'

export type Format = 'table' | 'json'

export const formatOption = (): Option =>
  new Option('--format <format>', 'table on a terminal, else json').choices(['table', 'json'])

export const generationOption = (): Option =>
  new Option('--generation <n>', 'which index; the live one unless said').argParser(wholeNumber)

interface About {
  /** The works that the question names. */
  readonly works?: readonly string[]
  /** The generations that it names. */
  readonly generations?: readonly (number | undefined)[]
  readonly asOf?: string | undefined
}

/**
 * Asks the views of matching, with everything in them that was written so far, or as they were. `undefined` is the
 * answer where a work is in no graph. Left: there is no such generation, work or time.
 */
export const askMatching = async <A>(
  session: Session,
  { works = [], generations = [], asOf }: About,
  question: (views: ViewStore) => A | undefined,
): Promise<Either<CliFailure, A>> => {
  const point = asOf === undefined ? undefined : parsePoint(asOf)
  if (point && isLeft(point)) return left(usage(point.left))
  const system = await session.system()
  const answer = (views: ViewStore, then = ''): Either<CliFailure, A> => {
    const noSuch = generations.flatMap((one) => noGeneration(views, one) ?? [])[0]
    if (noSuch !== undefined)
      return left(refused(`${then}${noSuch}`, '`fonds matching generations` lists them'))
    const found = question(views)
    if (found !== undefined) return right(found)
    const near = works.flatMap((work) => nearIds({ viewStore: views }, work))
    return left(
      refused(
        `${then}${noWork(views, works, ofGeneration(generations[0]))}`,
        near.length > 0
          ? `did you mean ${near.join(', or ')}?`
          : '`fonds query matching-works` lists all works',
      ),
    )
  }
  if (!point) {
    await freshViews(session, system, [matching])
    return answer(system.viewStore)
  }
  const past = await foldPast(session, system, matching, point.right)
  try {
    return answer(past, `as of ${asOf}: `)
  } finally {
    past.close()
  }
}

/** JSON for programs, unless they ask for words. */
export const isJson = ({ output }: Session, format: Format | undefined): boolean =>
  (format ?? (output.isTTY ? 'table' : 'json')) === 'json'

/** An answer: a line of JSON, or sentences for people. */
export const tell = async (
  session: Session,
  format: Format | undefined,
  answer: unknown,
  sentences: () => readonly string[],
): Promise<undefined> => {
  const text = isJson(session, format)
    ? `${jsonText(answer)}\n`
    : sentences()
        .map((line) => `${visible(line)}\n`)
        .join('')
  await session.output.write(text)
}

/** A time in a table, short enough to stay whole; sentences and programs get all of it. */
export const toTheSecond = (time: unknown): string =>
  typeof time === 'string' ? time.replace(/\.\d+Z$/, 'Z') : ''

/** A generation knows of joins and splits since it was built; those before are told by the ones before it. */
export const pastOf = (views: ViewStore, generation: number | undefined): readonly string[] => {
  const number = generationOf(views, ofGeneration(generation))
  const since = generationRow(views, number)?.listedAt
  return typeof since === 'string'
    ? [`Generation ${number} goes back to ${since}; --generation ${number - 1} goes back further.`]
    : []
}
