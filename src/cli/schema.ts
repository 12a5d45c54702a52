import type { Command } from 'commander'
import { isLeft } from 'fp-ts/lib/Either.js'
import { info } from '../api/about.ts'
import { asyncApi } from '../api/documents/asyncapi.ts'
import { openApi } from '../api/documents/openapi.ts'
import { topicSchemas } from '../api/topic-schemas.ts'
import { type System, topicsOf } from '../system/system.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { type CliFailure, usage } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'
import { findTopic } from './topic.ts'

interface SchemaOptions {
  readonly asyncapi?: boolean
  readonly openapi?: boolean
}

export const registerSchema = (program: Command, context: CliContext): void => {
  const command = program
    .command('schema')
    .summary('print what topics and HTTP take, for programs')
    .description('JSON Schema of the messages of a topic, or of all; or the AsyncAPI or OpenAPI document.')
    .argument('[topic]')
    .option('--asyncapi', 'the AsyncAPI 3.0 document of all topics')
    .option('--openapi', 'the OpenAPI 3.1 document of the HTTP routes')
    .action(running(context, schema))
  addExamples(command, [
    ['schema fonds.fixity.content', 'what that topic takes, with examples'],
    ['schema --openapi > openapi.json', 'for generators of clients'],
  ])
}

const schema = async (
  session: Session,
  topic: string | undefined,
  { asyncapi, openapi }: SchemaOptions,
): Promise<CliFailure | undefined> => {
  if ([topic !== undefined, asyncapi, openapi].filter(Boolean).length > 1)
    return usage('give one of a topic, --asyncapi and --openapi')
  const system = await session.system()
  const topics = topicsOf(system.workflows)
  if (asyncapi) return print(session, [asyncApi(info, topics, [])])
  if (openapi) return print(session, [await openApiOf(system)])
  if (topic === undefined) return print(session, topics.map(topicSchemas))
  const found = findTopic(system, topic)
  return isLeft(found) ? found.left : print(session, [topicSchemas(found.right)])
}

/** The HTTP server is only loaded where it is asked for: other commands start without it. */
const openApiOf = async (system: System): Promise<unknown> => {
  const { routesOf } = await import('../api/create-api.ts')
  const { documented } = await import('../api/http/register.ts')
  return openApi(
    info,
    routesOf(system).map(({ spec }) => documented(spec)),
  )
}

/** Indented for people, a line each for programs. */
const print = async ({ output }: Session, documents: readonly unknown[]): Promise<undefined> => {
  const text = (document: unknown) =>
    output.isTTY ? JSON.stringify(document, undefined, 2) : jsonText(document)
  await output.write(documents.map((document) => `${text(document)}\n`).join(''))
}
