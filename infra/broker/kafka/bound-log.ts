import { GroupOfAnotherLog } from '../../../src/async/errors.ts'
import { type Binding, bindingOf } from '../../../src/domain/kernel/group-binding.ts'
import type { BoundPlace, OwnLog } from '../../../src/ports/group-binding.ts'

/**
 * True where the marks of a group's commits are of our log, false where there are none. Throws
 * `GroupOfAnotherLog`, and `UnavailableError`.
 */
export const isBoundTo = async (
  ownLog: OwnLog,
  group: string,
  committed: readonly BoundPlace[],
): Promise<boolean> => {
  const binding = await bindingNow(ownLog, committed)
  if (binding.kind === 'other-log' || binding.kind === 'other-copy')
    throw new GroupOfAnotherLog(inSentences(group, binding))
  return binding.kind === 'ours'
}

const bindingNow = async (ownLog: OwnLog, committed: readonly BoundPlace[]): Promise<Binding> => {
  const { log } = await ownLog.ask()
  const marks = committed.map(({ mark }) => mark)
  const held = new Set<string>()
  for (const mark of marks)
    if (mark?.at && mark.log === log && !held.has(mark.at.event) && (await ownLog.holds(mark.at)))
      held.add(mark.at.event)
  return bindingOf(log, marks, ({ event }) => held.has(event))
}

const inSentences = (
  group: string,
  binding: Extract<Binding, { kind: 'other-log' | 'other-copy' }>,
): string => {
  const found =
    binding.kind === 'other-log'
      ? `the consumer group ${group} works for another log (${binding.log}${
          binding.at ? `, last seen at its position ${binding.at.position}` : ''
        }), so this process takes nothing from its topics`
      : `the consumer group ${group} works for a log that holds event ${binding.at.event} (${binding.at.stream} at revision ${binding.at.revision}, position ${binding.at.position}), and this one does not: it is a copy, or was restored from one; this process takes nothing from its topics`
  return (
    `${found}. Should it work for that log? Set FONDS_EVENT_STORE to where that is. Is this an installation of its own? ` +
    'Give it names of its own with FONDS_TOPIC_PREFIX, or another FONDS_BROKER. Should the group work for this log from now ' +
    'on? Stop all processes that use the group, then run `fonds do kafka.bind-groups --actor <you> --reason <why>`'
  )
}
