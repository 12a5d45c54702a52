import type { ParameterSpec, ProblemSpec } from '../app/documents/route-spec.ts'
import type { Field } from '../projections/runtime/field.ts'
import type { Question } from '../projections/runtime/question.ts'
import { allQuestions } from '../workflows/questions.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { type ApiContext, v1 } from './context.ts'
import { asOfParameter } from './http/parameters.ts'
import { type Route, route } from './http/route.ts'
import { answerOver } from './question-answer.ts'
import { contentTypesOf, nameOfType } from './question-formats.ts'
import { viewNotReady } from './view-not-ready.ts'
import { busy } from './views-as-of.ts'

/** Every question of every workflow, a route each. */
export const questionRoutes = async (context: ApiContext): Promise<readonly Route[]> => {
  const routesOf = async (workflow: Workflow) =>
    (await allQuestions(workflow.questions))
      .filter(({ only }) => only === undefined)
      .map((question) => questionRoute(context, workflow, question))
  return (await Promise.all(context.system.workflows.map(routesOf))).flat()
}

export const pathOf = ({ name }: Pick<Workflow, 'name'>, question: Question): string =>
  `${v1}/${question.path ?? `${name}/${question.name}`}`

const questionRoute = (context: ApiContext, workflow: Workflow, question: Question): Route => {
  const path = pathOf(workflow, question)
  const types = contentTypesOf(question)
  const [json, ...others] = types
  return route(
    {
      method: 'get',
      path,
      operationId: question.operationId ?? inOneWord(`${workflow.name}-${question.name}`),
      summary: question.summary,
      ...describedAs(question, types),
      tags: [question.tag ?? workflow.name],
      parameters: parametersOf(question, path),
      responses: {
        200: {
          description: question.returns,
          codec: question.answer,
          contentType: json,
          ...(question.schemaName !== undefined && { schemaName: question.schemaName }),
          ...(others.length > 0 && { others: others.map((contentType) => ({ contentType })) }),
        },
      },
      problems: problemsOf(question, types.length > 1),
    },
    (request) => answerOver(context, question, path, request),
  )
}

/** The fields of the input as parameters. Over HTTP a codec may be narrower. */
const parametersOf = (question: Question, path: string): readonly ParameterSpec[] => [
  ...Object.entries(question.input)
    .filter(([, { only }]) => only === undefined)
    .map(([name, field]) => parameterOf(name, field, path)),
  ...(question.history === 'views' ? [asOfParameter] : []),
  ...(question.history === 'log'
    ? [{ ...asOfParameter, description: 'A time or a position of the past.' }]
    : []),
]

const parameterOf = (
  name: string,
  { description, codec, http = codec, required, example }: Field,
  path: string,
): ParameterSpec => {
  const isInPath = path.includes(`{${name}}`)
  return {
    name,
    in: isInPath ? 'path' : 'query',
    description: isInPath ? description.replace(/\.$/, ', percent-encoded.') : description,
    codec: http,
    ...(required && { required: true }),
    ...(example !== undefined && { example }),
  }
}

/** The question's own description, and its content types. */
const describedAs = ({ description }: Question, types: readonly string[]) => {
  const forms = types.length > 1 ? `As ${listed(types.map(nameOfType))}, by the Accept header.` : undefined
  const sentences = [description, forms].filter((one) => one !== undefined)
  return sentences.length > 0 ? { description: sentences.join(' ') } : {}
}

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const problemsOf = (
  { rejections = {}, projection, history, needsViews }: Question,
  hasFormats: boolean,
): readonly ProblemSpec[] => [
  ...Object.entries(rejections).map(([code, { status, description }]) => ({ status, code, description })),
  ...(hasFormats
    ? [{ status: 406, code: 'no-such-format', description: 'None of the accepted formats is made here.' }]
    : []),
  ...(needsViews === false ? [] : [viewNotReady(projection)]),
  ...(history ? [busy] : []),
]

const inOneWord = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
