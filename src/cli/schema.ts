import type { Command } from 'commander'
import { info } from '../app/documents/about.ts'
import { asyncApi } from '../app/documents/asyncapi.ts'
import { schemasOf } from '../app/documents/topic-schemas.ts'
import { eventTopicsOf } from '../app/event-topics.ts'
import { topicsOf } from '../workflows/workflow.ts'
import { didYouMean } from './closest.ts'
import { type CliContext, running, type Session } from './context.ts'
import { addExamples } from './examples.ts'
import { type CliFailure, refused, usage } from './output/exit-codes.ts'
import { jsonText } from './output/format.ts'

interface SchemaOptions {
  readonly asyncapi?: boolean
  readonly openapi?: boolean
}

export const registerSchema = (program: Command, context: CliContext): void => {
  const command = program
    .command('schema')
    .summary('print what stands on topics and what HTTP takes, for programs')
    .description(
      'JSON Schema of the messages or events of a topic, or of all; or the AsyncAPI or OpenAPI document.',
    )
    .argument('[topic]')
    .option('--asyncapi', 'the AsyncAPI 3.0 document of all topics')
    .option('--openapi', 'the OpenAPI 3.1 document of the HTTP routes')
    .action(running(context, schema))
  addExamples(command, [
    ['schema fonds.fixity.content', 'what that topic takes, with examples'],
    ['schema fonds.fixity.events', 'the events that the relay puts there'],
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
  const { workflows } = system
  if (asyncapi) return print(session, [asyncApi(info, topicsOf(workflows), eventTopicsOf(workflows))])
  if (openapi) return print(session, [(await session.http()).openApiOf(system)])
  const all = schemasOf(workflows)
  if (topic === undefined) return print(session, all)
  const found = all.find((one) => one.topic === topic)
  const names = all.map((one) => one.topic)
  return found ? print(session, [found]) : refused(`there is no topic ${topic}`, didYouMean(topic, names))
}

/** Indented for people, a line each for programs. */
const print = async ({ output }: Session, documents: readonly unknown[]): Promise<undefined> => {
  const text = (document: unknown) =>
    output.isTTY ? JSON.stringify(document, undefined, 2) : jsonText(document)
  await output.write(documents.map((document) => `${text(document)}\n`).join(''))
}
