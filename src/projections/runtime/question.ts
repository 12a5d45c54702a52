import { type Either, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Rejection } from '../../domain/kernel/rejection.ts'
import type { EventStore } from '../../ports/event-store.ts'
import type { People } from '../../ports/people.ts'
import type { SettingRules } from '../../ports/setting-rules.ts'
import type { SnapshotStore } from '../../ports/snapshot-store.ts'
import type { Point, ViewStore } from '../../ports/view-store.ts'
import { type Fields, type InputOf, limit, offset } from './field.ts'
import type { Projection } from './projection.ts'
import type { Block, Column } from './shown.ts'

/**
 * A question, declared once. `fonds <workflow> <name>` with its flags, help and formats, `GET /api/v1/<path>` with its
 * parameters, problems and content types, the OpenAPI document and the link on the first page follow from this.
 *
 * To declare one that answers rows, use `list`; for any other, `question`:
 * 1. `answer` is an io-ts codec, and the type of the answer is `t.TypeOf` of it.
 * 2. Each field of `input` is read from text by its codec, for the command line and HTTP alike.
 * 3. `ask` may return a rejection whose code is in `rejections`: a status over HTTP, exit code 1 on the command line.
 * 4. `show` renders the answer as sentences and tables for people; programs get the answer, or `rows`.
 * 5. `questions.ts` of the workflow names it, in the order of its help.
 */
interface QuestionSpec<Input extends Fields, Answer extends t.Mixed, Code extends string, Row extends t.Mixed>
  extends Naming,
    Presentation<t.TypeOf<Answer>, InputOf<Input>, Row> {
  readonly input: Input
  readonly answer: Answer
  /** Description of the answer, in a sentence. */
  readonly returns: string
  readonly rejections?: Readonly<Record<Code, RejectionSpec>>
  ask(views: ViewStore, input: InputOf<Input>, asking: Asking): Answered<t.TypeOf<Answer>, NoInfer<Code>>
}

interface Naming {
  /** Unique in its workflow. */
  readonly name: string
  /** One sentence; the command line shows it without its capital and its full stop. */
  readonly summary: string
  readonly description?: string
  /** Path after `/api/v1/`, with fields in braces: `matching/graphs/{work}`. Absent: `<workflow>/<name>`. */
  readonly path?: string
  /** The name of its method in generated clients, for ever. Absent: workflow and name in one word. */
  readonly operationId?: string
  /** Absent: the workflow's name. */
  readonly tag?: string
  /** The answer's name among the schemas of the OpenAPI document. Absent: the schema is inline. */
  readonly schemaName?: string
  /** Only on the command line: it takes too long for a server. */
  readonly only?: 'command-line'
  /** The projection whose views are queried; they are up to date with the log when the command line asks. */
  readonly projection: Projection
  /**
   * Whether it can be asked as of an earlier moment. `views`: `ask` gets the views as of then. `log`: it gets the
   * current ones, and reads the log up to `asOf` itself. Absent: it cannot.
   */
  readonly history?: 'views' | 'log'
  /** False if it reads only the log: HTTP then answers it even before the views are first folded. */
  readonly needsViews?: false
  /** Text typed after `fonds <workflow>`, and its effect. */
  readonly examples: readonly (readonly [typed: string, does: string])[]
}

/** Dependencies of a question beside the views and its input. */
export interface Asking {
  /** ISO 8601 UTC, to compare deadlines with. With views as of an earlier moment, the time of that. */
  readonly now: string
  readonly asOf?: Point
  readonly eventStore: EventStore
  readonly snapshots: SnapshotStore
  readonly signal: AbortSignal
  /** True if others wait for the process that answers: a question that would block it for long is to be rejected. */
  readonly isShared: boolean
  /** Dependencies of one workflow alone, under its name. */
  readonly of: AskedOf
  /** Settings of the archive, as the answering process has them. */
  readonly settings: SettingRules
  /** Names and mail addresses, which are in no view. */
  readonly people: People
}

/** Each workflow adds its own: see its `asked.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: workflows declare what is in it
export interface AskedOf {}

export interface QuestionRejection<Code extends string = string> extends Pick<Rejection, 'message'> {
  readonly code: Code
  /** The invalid field. */
  readonly path?: string
  /** Unknown ids: people are shown known ones that begin alike. */
  readonly ids?: readonly string[]
  /** Advice for people if there is no such id. */
  readonly hint?: string
}

export interface RejectionSpec {
  /** Status over HTTP. On the command line 400 is wrong usage; all others are exit code 1. */
  readonly status: 400 | 404 | 409 | 410 | 422
  readonly description: string
  /** Where the text of a 404 as of an earlier moment names that moment. Absent: everywhere. */
  readonly dated?: 'command-line'
}

type Result<Answer, Code extends string> = Either<QuestionRejection<Code>, Answer>
type Answered<Answer, Code extends string = string> = Result<Answer, Code> | Promise<Result<Answer, Code>>

/** Presentation of an answer. */
interface Presentation<Answer, Input, Row extends t.Mixed> {
  /** For people. */
  show(answer: Answer, about: About<Input>): readonly Block[]
  /** For spreadsheets and streams: csv, and ndjson over HTTP. */
  readonly rows?: AnswerRows<Answer, Row>
  /** Output of the command line for programs; `rows` also makes ndjson the default in a pipe. Absent: the answer. */
  readonly prints?: 'rows'
  /** A sentence for people in place of `show`, if there is nothing to show. */
  nothing?(answer: Answer, about: About<Input>): string | undefined
  /** Sentences for people beside it. */
  remarks?(answer: Answer, about: About<Input>): readonly string[]
  /** Makes the command line end with code 1; if `ids` or `unseen` are given, it replaces the answer. */
  alarm?(answer: Answer, about: About<Input>): Alarm | undefined
  readonly pictures?: readonly Picture<Answer, Input>[]
  /** The input that asks the same under its own name; a canonical `Link` over HTTP. */
  canonical?(answer: Answer): Partial<Input> | undefined
}

interface AnswerRows<Answer, Row extends t.Mixed> {
  /** Codec of a row: a spreadsheet without rows still gets headings. Absent: it then gets nothing. */
  readonly row?: Row
  of(answer: Answer): readonly t.TypeOf<Row>[]
}

export interface Alarm {
  readonly message: string
  readonly hint?: string
  /** As in a rejection. */
  readonly ids?: readonly string[]
  /** The answer itself is not shown. */
  readonly unseen?: true
}

/** The question that an answer is of. The views are open until the answer is shown. */
export interface About<Input> {
  readonly input: Input
  readonly views: ViewStore
  /** In words; absent: now. */
  readonly asOf?: string
}

interface Picture<Answer, Input> {
  /** Its name for `--format`, and the extension of its files. */
  readonly format: 'svg' | 'dot' | 'html' | 'txt'
  readonly contentType: string
  /** A Content-Security-Policy for when it is opened by itself in a browser. */
  readonly policy?: string
  /** True for a page that is given out: where the log is sealed, it carries its proof. */
  readonly isReport?: true
  /** Description of its flag on the command line, `--<format> <file>`. Absent: there is no such flag. */
  readonly flag?: string
  draw(answer: Answer, about: About<Input>): Answered<string>
}

/** A question without its types. */
export type Question = QuestionSpec<Fields, t.Mixed, string, t.Mixed>

export const question = <
  const Input extends Fields,
  Answer extends t.Mixed,
  const Code extends string = never,
  Row extends t.Mixed = t.Mixed,
>(
  spec: QuestionSpec<Input, Answer, Code, Row>,
): Question => spec as unknown as Question

type PageOf<Input extends Fields> = InputOf<
  Input & { readonly limit: typeof limit; readonly offset: typeof offset }
>

interface ListSpec<Input extends Fields, Item extends t.Mixed, Code extends string> extends Naming {
  /** Fields beside `limit`, which every list has. */
  readonly input?: Input
  /** One row. */
  readonly row: Item
  /** Absent: "Rows." */
  readonly returns?: string
  readonly rejections?: Readonly<Record<Code, RejectionSpec>>
  /** Returns why there is no answer. */
  reject?(views: ViewStore, input: InputOf<Input>, asking: Asking): QuestionRejection<Code> | undefined
  ask(
    views: ViewStore,
    input: PageOf<Input>,
    asking: Asking,
  ): readonly t.TypeOf<Item>[] | Promise<readonly t.TypeOf<Item>[]>
  /** Returns the number of all rows. Makes `offset` an input beside `limit`; `ask` has to apply it. */
  total?(views: ViewStore, input: PageOf<Input>, asking: Asking): number
  /** `ask` returns all rows, as they are computed together: `offset`, `limit` and `total` are applied here. */
  readonly asksAll?: true
  readonly columns: readonly Column[]
  /** Sentence for people if there are no rows. */
  readonly none: string
}

const pageOf = <Item>(
  all: readonly Item[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): readonly Item[] => all.slice(offset, offset + limit)

/** A question answered with rows: `{ <name>: [...] }` over HTTP, and `total` if it counts them. */
export const list = <const Input extends Fields, Item extends t.Mixed, const Code extends string = never>({
  row,
  input,
  returns = 'Rows.',
  reject,
  ask,
  total,
  asksAll,
  columns,
  none,
  ...spec
}: ListSpec<Input, Item, Code>): Question => {
  const rowsOf = (answer: Readonly<Record<string, unknown>>) => (answer[spec.name] ?? []) as readonly object[]
  const isPaged = asksAll === true || total !== undefined
  const erased: Question = {
    ...spec,
    returns,
    input: { ...input, ...(isPaged && { offset }), limit },
    answer: t.type({ [spec.name]: t.readonlyArray(row), ...(isPaged && { total: t.number }) }),
    ask: (views, given, asking) => {
      const rejected = reject?.(views, given as never, asking)
      if (rejected) return left(rejected)
      const page = given as never
      const answerOf = (found: readonly t.TypeOf<Item>[]) =>
        right(
          asksAll
            ? { [spec.name]: pageOf(found, page), total: found.length }
            : { [spec.name]: found, ...(total && { total: total(views, page, asking) }) },
        )
      const found = ask(views, page, asking)
      return found instanceof Promise ? found.then(answerOf) : answerOf(found)
    },
    prints: 'rows',
    rows: { row, of: rowsOf },
    show: (answer) => [{ rows: rowsOf(answer), columns }],
    nothing: (answer) => (rowsOf(answer).length === 0 ? none : undefined),
  }
  return erased
}
