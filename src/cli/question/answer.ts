import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type Asked, askQuestion, messageOf, type Render, type ViewSource } from '../../app/ask-question.ts'
import type { Home } from '../../app/system.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { About, Question, QuestionRejection } from '../../projections/runtime/question.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { nearIds } from '../near-ids.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { askAsOf } from '../views-as-of.ts'
import { type Form, formOf } from './formats.ts'
import { askedBy, type QuestionFlags } from './input.ts'
import { writeAnswer } from './write.ts'

type Input = Asked['input']

/** Brings the views up to date, or resolves those as of a moment, asks, and writes the answer for a person or a program. */
export const answerOnTerminal = async (
  session: Session,
  workflow: string,
  question: Question,
  given: Input,
  flags: QuestionFlags,
): Promise<CliFailure | undefined> => {
  const form = formOf(question, flags, session.output.isTTY)
  if (isLeft(form)) return form.left
  const asked = askedBy(session, question, given, flags)
  if (isLeft(asked)) return asked.left
  const home = await session.home([workflow])
  const answered = await askQuestion(
    home,
    viewsFor(session, home),
    question,
    asked.right,
    rendering(session, `${workflow} ${question.name}`, question, form.right),
  )
  return isLeft(answered) ? answered.left : undefined
}

const viewsFor = (session: Session, home: Home): ViewSource<CliFailure> => ({
  present: async (projection, use) => {
    await freshViews(session, home, [projection])
    return use(home.viewStore)
  },
  asOf: (projection, point, use) => askAsOf(session, home, projection, point, use),
})

const rendering =
  (session: Session, name: string, question: Question, form: Form): Render<CliFailure, void> =>
  async (answered, about) => {
    const refuse = (rejection: QuestionRejection) => left(failureOf(question, rejection, about))
    if (isLeft(answered)) return refuse(answered.left)
    const answer = answered.right
    const alarm = question.alarm?.(answer, about)
    const failure = alarm && refused(alarm.message, hintOf(about.views, alarm))
    if (failure && alarm.unseen) return left(failure)
    const isForPeople = form.format === 'table'
    const nothing = isForPeople ? question.nothing?.(answer, about) : undefined
    if (nothing !== undefined) session.say(nothing)
    else {
      const written = await writeAnswer(session, { name, question, answer, about }, form)
      if (isLeft(written)) return refuse(written.left)
    }
    const remarks = isForPeople ? question.remarks?.(answer, about) : undefined
    for (const remark of remarks ?? []) session.say(remark)
    return failure ? left(failure) : right(undefined)
  }

const failureOf = (
  question: Question,
  rejection: QuestionRejection,
  { views, asOf }: About<Input>,
): CliFailure => {
  const status = question.rejections?.[rejection.code]?.status
  const fail = status === 400 ? usage : refused
  return fail(messageOf(question, rejection, asOf), hintOf(views, rejection))
}

const hintOf = (
  viewStore: ViewStore,
  { ids = [], hint }: { readonly ids?: readonly string[]; readonly hint?: string },
): string | undefined => {
  const near = ids.flatMap((id) => nearIds({ viewStore }, id))
  return near.length > 0 ? `did you mean ${near.join(', or ')}?` : hint
}
