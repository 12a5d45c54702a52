import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { writeForPerson } from '../../app/config/file-modes.ts'
import { columnsOf } from '../../app/question-columns.ts'
import type { About, Question, QuestionRejection } from '../../projections/runtime/question.ts'
import { columns } from '../../projections/runtime/shown.ts'
import type { Session } from '../context.ts'
import { jsonText, writeRows } from '../output/format.ts'
import type { Format } from '../output/formats.ts'
import type { Output } from '../output/output.ts'
import { table } from '../output/table.ts'
import { visible } from '../output/text.ts'
import type { Form } from './formats.ts'

interface Answered {
  /** As it is asked: `fixity report`. */
  readonly name: string
  readonly question: Question
  readonly answer: unknown
  readonly about: About<Readonly<Record<string, unknown>>>
}

/** Left: the picture cannot be drawn. */
export const writeAnswer = async (
  session: Session,
  answered: Answered,
  { format, file }: Form,
): Promise<Either<QuestionRejection, void>> => {
  const { output, say } = session
  if (file === undefined) return writeTo(session, output, answered, format)
  const memory = inMemory(output)
  const written = await writeTo(session, memory.output, answered, format)
  if (isLeft(written)) return written
  writeForPerson(file, memory.text())
  say(`written to ${file}`)
  return written
}

const writeTo = async (
  session: Session,
  output: Output,
  { name, question, answer, about }: Answered,
  format: string,
): Promise<Either<QuestionRejection, void>> => {
  const { pictures = [], rows, prints } = question
  const picture = pictures.find((one) => one.format === format)
  if (picture) {
    const drawn = await picture.draw(answer, about)
    if (isLeft(drawn)) return drawn
    const page = picture.isReport
      ? await (await import('./sealed-page.ts')).sealedPage(session, name, drawn.right, about)
      : drawn.right
    return right(await output.write(page, 'as stored'))
  }
  if (format === 'table')
    return right(await output.write(inBlocks(output, question.show(await output.readable(answer), about))))
  return rows && (prints === 'rows' || format === 'csv')
    ? right(await writeAll(output, rows, answer, format as Format))
    : right(await output.write(`${jsonText(answer)}\n`))
}

const writeAll = (
  output: Output,
  rows: NonNullable<Question['rows']>,
  answer: unknown,
  format: Format,
): Promise<void> => {
  const found = rows.of(answer)
  return writeRows(output, [found], { format, columns: columns(...columnsOf(rows, found)) })
}

const inBlocks = (output: Output, blocks: ReturnType<Question['show']>): string => {
  const width = output.width()
  const style = { colour: output.colour, ...(width !== undefined && { width }) }
  const drawn = blocks.map((block) =>
    typeof block === 'string'
      ? `${visible(block)}\n`
      : table(
          block.rows.map((row) => ({ ...row })),
          block.columns,
          style,
        ),
  )
  return drawn.join('')
}

/** An output in memory, for a file, which keeps references: it is no terminal. */
const inMemory = ({ closed }: Output) => {
  let written = ''
  const output: Output = {
    isTTY: false,
    width: () => undefined,
    colour: false,
    closed,
    write: async (text) => {
      written += text
    },
    readable: async (value) => value,
  }
  return { output, text: () => written }
}
