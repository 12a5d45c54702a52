import { userInfo } from 'node:os'
import type { Command } from 'commander'
import type { DomainEvent } from '../../domain/kernel/event.ts'
import { matching } from '../../projections/matching/projection.ts'
import { askCommand } from '../ask-command.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { jsonText } from '../output/format.ts'
import { visible } from '../output/text.ts'

/** Who wants a change, and why: kept with it. */
export interface By {
  readonly actor: string
  readonly reason: string
}

export const byOptions = (command: Command, name: string): Command =>
  command
    .option('--actor <name>', 'who wants it', userInfo().username)
    .option('--reason <text>', 'why', `fonds matching ${name}`)

/** Gives a command of matching, and returns when all that follows from it is done. Throws `Refused` or `Away`. */
export const change = async (
  session: Session,
  name: string,
  input: unknown,
  { actor, reason }: By,
): Promise<readonly DomainEvent[]> => {
  const system = await session.system()
  // A view that stands still is told at once; the work would wait for it in vain.
  await freshViews(session, system, [matching])
  const events = await askCommand(system, `matching.${name}`, input, { actor, reason })
  await bringToRest(session, system)
  return events
}

/** What came of it: a line of JSON for programs, a sentence for people. */
export const tellChange = async (
  { output }: Session,
  name: string,
  events: readonly DomainEvent[],
  sentence: string,
): Promise<undefined> => {
  const outcome = events.length > 0 ? 'done' : 'unchanged'
  await output.write(
    output.isTTY
      ? `${visible(events.length > 0 ? sentence : 'nothing to do: that is true already')}\n`
      : `${jsonText({ command: `matching.${name}`, outcome, events })}\n`,
  )
}
