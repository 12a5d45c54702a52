import type { HttpClient } from '@fonds/download'
import { createSemaphore } from '../../../async/semaphore.ts'
import { SECOND } from '../../../domain/kernel/time.ts'
import { commandTool } from './command.ts'
import { serviceTool } from './service.ts'
import type { Tool } from './tool.ts'
import { isService } from './words.ts'

/** Files that a process asks about at once, of all its jobs: each may cost a program. */
const atOnce = 4

interface CharacteriserSettings {
  /** A command line, or an address of a service. */
  readonly ingestCharacterise?: string
  /** How long it may take over one file. */
  readonly ingestCharacteriseSeconds: number
}

/** Undefined where none is set. */
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
  return { name: tool.name, ask: (path, hold) => asking.run(hold, (turn) => tool.ask(path, turn)) }
}
