import type { Command } from 'commander'
import { type CliContext, runningFrom } from './context.ts'
import { addExamples } from './examples.ts'

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
    .action(runningFrom(context, () => import('./schema/run.ts')))
  addExamples(command, [
    ['schema fonds.fixity.content', 'what that topic takes, with examples'],
    ['schema fonds.fixity.events', 'the events that the relay puts there'],
    ['schema --openapi > openapi.json', 'for generators of clients'],
  ])
}
