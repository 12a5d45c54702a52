import { UnavailableError } from '../../async/unavailable.ts'
import { plural } from '../../domain/kernel/amounts.ts'
import { treeMark } from '../../processors/runtime/tree-mark.ts'
import { countDue, dueBy } from '../../projections/retention/due-events.ts'
import { policiesOfLog } from '../../projections/retention/policies.ts'
import { timeOfLog } from '../../projections/retention/time-of-log.ts'
import { type Finding, ok, warn } from '../finding.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import { whyKept } from './why-kept.ts'

type Checked = Pick<WorkflowContext, 'eventStore' | 'clock' | 'workflows'>

/**
 * A line for each policy, with what it would remove. No line where there is none, nor where the log is away: a line of its own says
 * that.
 */
export const retentionChecks = async (context: Checked): Promise<readonly Finding[]> => {
  try {
    return await policyChecks(context)
  } catch (error) {
    if (error instanceof UnavailableError) return []
    throw error
  }
}

const policyChecks = async ({ eventStore, clock, workflows }: Checked): Promise<readonly Finding[]> => {
  const findings: Finding[] = []
  for (const one of await policiesOfLog(eventStore)) {
    const due = one.state.policy && dueBy(one, await timeOfLog(eventStore, clock.now()))
    if (!due) continue
    const kept = whyKept(one.category, workflows)
    if (kept !== undefined) {
      findings.push(
        warn('retention', `nothing of ${one.category} is removed: ${kept}`, liftHint(one.category)),
      )
      continue
    }
    const { streams, events } = await countDue(eventStore, due)
    const { doneAt, named } = one.state
    const last =
      doneAt === undefined
        ? 'nothing was removed yet'
        : `${plural(one.removed, 'event')} removed, last on ${doneAt.slice(0, 10)}${stillOnServer(eventStore)}`
    const now = named
      ? `${plural(named.events, 'event')} named for removal`
      : `${plural(events, 'event')} of ${plural(streams, 'stream')} due`
    const says = `${one.category}: ${now}; ${last}`
    findings.push(
      (events > 0 || named) && (await treeMark(eventStore)) === undefined
        ? warn(
            'retention',
            `${says}; and no home seals this log`,
            'only what is sealed is removed: `fonds start` seals, unless its roles leave out the sealer',
          )
        : ok('retention', says),
    )
  }
  return findings
}

const liftHint = (category: string): string => `\`fonds retention lift ${category}\` ends the policy`

const stillOnServer = ({ scavenge }: WorkflowContext['eventStore']): string =>
  scavenge ? '' : '; the server has them until it is scavenged'
