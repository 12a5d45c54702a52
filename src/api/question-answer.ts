import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { type Asked, askQuestion, messageOf, type Render, type ViewSource } from '../app/ask-question.ts'
import { ViewQueryError } from '../domain/kernel/view.ts'
import type { Point } from '../ports/view-store.ts'
import { withDefaults } from '../projections/runtime/field.ts'
import type { Question, QuestionRejection } from '../projections/runtime/question.ts'
import { projectionsOf } from '../workflows/workflow-model.ts'
import type { ApiContext } from './context.ts'
import { pointInWords } from './http/parameters.ts'
import { type DetailedProblem, refuse } from './http/refuse.ts'
import { preferred } from './http/representation.ts'
import type { ApiRequest, Reply } from './http/route.ts'
import { contentTypesOf, represent } from './question-formats.ts'
import { notReady } from './view-not-ready.ts'
import { sayingFolded } from './views-as-of.ts'

/** Asks, and answers in the content type that the client prefers. */
export const answerOver = async (
  context: ApiContext,
  question: Question,
  path: string,
  { parameters, headers, signal }: ApiRequest,
): Promise<Either<DetailedProblem, Reply>> => {
  const types = contentTypesOf(question)
  const type = preferred(headers.accept, types)
  if (!type) return refuse(406, 'no-such-format', `accept: ask for one of ${types.join(', ')}`)
  const render: Render<DetailedProblem, Reply> = async (answered, about) => {
    if (isLeft(answered)) return refused(question, answered.left, about.asOf)
    const body = await represent(question, answered.right, about, type)
    if (isLeft(body)) return refused(question, body.left, about.asOf)
    const canonical = question.canonical?.(answered.right)
    const reply: Reply = {
      status: 200,
      contentType: type,
      body: body.right,
      headers: {
        ...(types.length > 1 && { vary: 'accept' }),
        ...policyOf(question, type),
        ...(canonical && { link: `<${addressOf(path, canonical)}>; rel="canonical"` }),
      },
    }
    const isAsOf = about.asOf !== undefined && question.history === 'views'
    return isAsOf ? sayingFolded(about.views, right(reply)) : right(reply)
  }
  const asked = askedBy(question, parameters, signal)
  return askQuestion(context.system, viewsFor(context, question, asked), question, asked, render)
}

const askedBy = ({ input }: Question, parameters: ApiRequest['parameters'], signal: AbortSignal): Asked => {
  const asOf = parameters.asOf as Point | undefined
  return {
    input: withDefaults(input, parameters),
    asOf: asOf && { point: asOf, words: pointInWords(asOf) },
    signal,
    isShared: true,
  }
}

/** The live views of this process, or views as of a moment; these are folded for a few requests at once. */
const viewsFor = (
  { system: { viewStore, workflows }, askAsOf, fewAtOnce }: ApiContext,
  { history, needsViews }: Question,
  { asOf, signal }: Asked,
): ViewSource<DetailedProblem> => ({
  present: async (projection, use) => {
    // Views that this archive does not fold are never ready: the question says why.
    const isFolded = projectionsOf(workflows).some(({ name }) => name === projection.name)
    if (needsViews !== false && isFolded && !viewStore.live(projection.name)) return notReady(projection)
    try {
      return await (asOf && history === 'log' ? fewAtOnce(() => use(viewStore)) : use(viewStore))
    } catch (error) {
      // After an upgrade, until the views are folded anew, the old ones answer what they can.
      const isOld = projection.views.some(({ name }) => !viewStore.shape(name))
      if (error instanceof ViewQueryError && isOld) return notReady(projection)
      throw error
    }
  },
  asOf: (projection, point, use) => askAsOf(projection, point, signal, use),
})

const refused = (
  question: Question,
  rejection: QuestionRejection,
  asOf: string | undefined,
): Either<DetailedProblem, never> => {
  const { code, path } = rejection
  const declared = question.rejections?.[code]
  if (!declared) throw new Error(`${question.name} does not declare the rejection ${code}`)
  const message = messageOf(question, rejection, declared.dated === undefined ? asOf : undefined)
  return refuse(declared.status, code, message, path === undefined ? {} : { path })
}

const policyOf = ({ pictures = [] }: Question, type: string) => {
  const policy = pictures.find(({ contentType }) => contentType === type)?.policy
  return policy === undefined ? {} : { 'content-security-policy': policy }
}

const addressOf = (path: string, input: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
