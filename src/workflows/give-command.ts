import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow } from '../async/unavailable.ts'
import { decode } from '../domain/kernel/codecs.ts'
import type { Rejection } from '../domain/kernel/rejection.ts'
import type { By } from '../processors/runtime/operator-command.ts'
import type { WorkflowContext } from './workflow-context.ts'

/**
 * Gives an operator's command by its name, as a person could, whichever workflow has it: workflows know nothing else of each other.
 * Only for commands whose effect is in the log alone. `cause`: with the same one, it has its effect once. Returns the rejection, if
 * there is one. Throws `UnavailableError`.
 */
export const giveCommand = async (
  { workflows, execute, clock }: Pick<WorkflowContext, 'workflows' | 'execute' | 'clock'>,
  name: string,
  input: unknown,
  { cause, ...by }: Omit<By, 'at'> & { readonly cause: string },
): Promise<Rejection | undefined> => {
  const command = workflows.flatMap(({ commands = [] }) => commands).find((one) => one.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  const decoded = decode(command.codec, input)
  if (isLeft(decoded)) throw new Error(`${name}: ${decoded.left}`)
  const route = command.route(decoded.right, { ...by, at: clock.now() })
  const outcome = await orThrow(
    () =>
      execute(route.decider, {
        stream: route.stream,
        command: route.command as never,
        causationId: `${name}#${cause}`,
      }),
    name,
  )
  return outcome.kind === 'rejected' ? outcome.rejection : undefined
}
