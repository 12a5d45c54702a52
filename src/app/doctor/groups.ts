import { UnavailableError } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { notingNewest } from '../../processors/runtime/own-log.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import { groupBindings } from '../group-bindings.ts'
import type { System } from '../system.ts'
import { whatToDo } from './dependencies.ts'

/** Whether the consumer groups on a server work for this log. */
export const groupsOfThisLog = async (system: System): Promise<readonly Finding[]> => {
  const { broker, config, eventStore } = system
  if (!broker.binding) return []
  try {
    const groups = await groupBindings(system, broker.binding, notingNewest(eventStore).ownLog)
    const strange = groups.filter(({ binding: { kind } }) => kind === 'other-log' || kind === 'other-copy')
    if (strange.length === 0)
      return [ok('groups', `${plural(groups.length, 'consumer group')} of this log, or of none yet`)]
    const names = strange.map(({ group }) => group).join(', ')
    return [
      fail(
        'groups',
        strange.every(({ binding: { kind } }) => kind === 'other-log')
          ? `${names}: work for another log, so messages have no effect in this one`
          : `${names}: work for a log that has more events than this one, which is a copy or was restored from one`,
        'is FONDS_EVENT_STORE right? An installation of its own has its own FONDS_TOPIC_PREFIX. To give them to this log: stop all processes, then `fonds do kafka.bind-groups`',
      ),
    ]
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    // A broker that is away has a line of its own, which fails.
    return [warn('groups', `cannot be read: ${error.message}`, whatToDo(config.broker))]
  }
}
