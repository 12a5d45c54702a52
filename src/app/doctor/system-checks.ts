import { UnavailableError } from '../../async/unavailable.ts'
import { visible } from '../../domain/kernel/visible.ts'
import type { Cause } from '../../workflows/cause.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import { causesOf } from '../causes.ts'
import type { System } from '../system.ts'
import { assignees, givenTo } from './assignees.ts'
import { backups } from './backups.ts'
import { broker, eventStore, whatToDo, wholeLog } from './dependencies.ts'
import { groupsOfThisLog } from './groups.ts'
import { historyCopies, keptHistory } from './history.ts'
import { messageLinks } from './links.ts'
import { setAlike } from './nodes.ts'
import { personalValues } from './personal.ts'
import { proof } from './proof.ts'
import { recipients } from './recipients.ts'
import { restingPartitions } from './resting.ts'
import { signIn } from './sign-in.ts'
import { clock, messageLag, viewLag } from './work.ts'

interface Explained {
  readonly message: string
  readonly hint?: string | undefined
}

interface Wanted {
  /** Whether every event is read as well: a large log takes long. */
  readonly isWhole: boolean
  /** A failed check in words. */
  readonly explain: (error: unknown) => Explained
}

/**
 * Checks of a system that is open: what it depends on, the work, what waits for people, each workflow's own. Changes
 * nothing. What was found before one throws is given.
 */
export async function* systemChecks(system: System, { isWhole, explain }: Wanted): AsyncGenerator<Finding> {
  yield await eventStore(system)
  if (isWhole) yield await wholeLog(system)
  yield await broker(system)
  yield await clock(system)
  yield* await groupsOfThisLog(system)
  yield await messageLag(system)
  yield* await restingPartitions(system)
  yield await viewLag(system)
  yield* await setAlike(system)
  yield await proof(system)
  yield* await personalValues(system, isWhole)
  yield* messageLinks(system.config)
  yield keptHistory(system)
  yield* await historyCopies(system.config)
  yield* await waitsForPeople(system)
  yield* await assignees(system, await givenTo(system))
  yield* await recipients(system)
  for (const workflow of system.workflows) yield* await checksOf(workflow, system, explain)
  yield* await backups(system.config, system.clock.now())
  yield* await signIn(system)
}

/** A check that fails by itself keeps no other from being made. */
const checksOf = async (
  { name, checks }: Workflow,
  system: System,
  explain: Wanted['explain'],
): Promise<readonly Finding[]> => {
  try {
    return (await checks?.(system)) ?? []
  } catch (error) {
    const { message, hint } = explain(error)
    return [fail(name, message, hint ?? 'mend this first, then ask again')]
  }
}

/** Returns a line for each task of a person, with the command that resolves it. Notices report the same. */
const waitsForPeople = async (system: System): Promise<readonly Finding[]> => {
  try {
    const causes = (await causesOf(system)).filter((cause) => !checkedElsewhere.has(kindOf(cause)))
    return causes.length === 0
      ? [ok('people', 'nothing waits for a person')]
      : causes.map((cause) =>
          warn(kindOf(cause).replaceAll('-', ' '), visible(cause.says), visible(cause.todo)),
        )
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
    return [
      warn('people', `cannot read what waits for them: ${error.message}`, whatToDo(system.config.broker)),
    ]
  }
}

/** Other checks look at these more closely. */
const checkedElsewhere = new Set(['away', 'paused', 'stuck', 'stopped', 'proof'])

const kindOf = ({ key }: Cause): string => key.split('/', 1)[0] ?? key
