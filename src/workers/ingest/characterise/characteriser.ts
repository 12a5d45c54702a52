import type { HttpClient } from '@fonds/download'
import { createSemaphore } from '../../../async/semaphore.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { commandTool } from './command.ts'
import { serviceTool } from './service.ts'
import type { Tool } from './tool.ts'
import { isService } from './words.ts'

/** Files characterised at once, by all jobs of a process: each may cost a program. */
const atOnce = 4

interface CharacteriserSettings {
  /** A command line, or the URL of a service. */
  readonly ingestCharacterise?: string
  /** Time limit for one file. */
  readonly ingestCharacteriseSeconds: number
}

/** Undefined if no tool is set. */
export const characteriserOf = (
  { ingestCharacterise: setting, ingestCharacteriseSeconds }: CharacteriserSettings,
  client: Pick<HttpClient, 'ask'>,
): Tool | undefined => {
  if (setting === undefined) return undefined
  const limitMillis = ingestCharacteriseSeconds * SECOND
  const tool = isService(setting)
    ? serviceTool(setting, client, limitMillis)
    : commandTool(setting, limitMillis)
  const asking = createSemaphore(atOnce)
  return { name: tool.name, ask: (path, context) => asking.run(context, (turn) => tool.ask(path, turn)) }
}
