import { info } from '../../app/documents/about.ts'
import { asyncApi } from '../../app/documents/asyncapi.ts'
import { schemasOf } from '../../app/documents/topic-schemas.ts'
import { eventTopicsOf } from '../../app/event-topics.ts'
import { topicsOf } from '../../workflows/workflow-model.ts'
import { didYouMean } from '../closest.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'

interface SchemaOptions {
  readonly asyncapi?: boolean
  readonly openapi?: boolean
}

export const run = async (
  session: Session,
  topic: string | undefined,
  { asyncapi, openapi }: SchemaOptions,
): Promise<CliFailure | undefined> => {
  if ([topic !== undefined, asyncapi, openapi].filter(Boolean).length > 1)
    return usage('give one of a topic, --asyncapi and --openapi')
  if (openapi) return print(session, [await (await session.http()).openApiOf(await session.system())])
  const { workflows } = await session.home()
  if (asyncapi) return print(session, [asyncApi(info, topicsOf(workflows), eventTopicsOf(workflows))])
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
