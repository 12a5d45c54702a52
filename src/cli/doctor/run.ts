import { existsSync } from 'node:fs'
import { causesOf } from '../../app/causes.ts'
import type { System } from '../../app/system.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Cause } from '../../workflows/cause.ts'
import { type Finding, fail, ok, warn } from '../../workflows/finding.ts'
import type { Workflow } from '../../workflows/workflow.ts'
import type { Session } from '../context.ts'
import { failureOf } from '../failures.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'
import { backups, unopenedBackup } from './backups.ts'
import { broker, eventStore, whatToDo, wholeLog } from './dependencies.ts'
import { writtenFolders } from './folders.ts'
import { groupsOfThisLog } from './groups.ts'
import { historyCopies, keptHistory } from './history.ts'
import { messageLinks } from './links.ts'
import {
  configSources,
  databaseFiles,
  integrity,
  isLargeLog,
  nodeVersion,
  permissions,
  variables,
} from './machine.ts'
import { setAlike } from './nodes.ts'
import { restingPartitions } from './resting.ts'
import { signIn } from './sign-in.ts'
import { clock, messageLag, reach, viewLag } from './work.ts'

interface DoctorOptions {
  readonly deep?: boolean
}

export const run = async (
  session: Session,
  { deep = false }: DoctorOptions,
): Promise<CliFailure | undefined> => {
  const { config, flags, env, output } = session
  const findings: Finding[] = [nodeVersion(), configSources(config, flags, env), ...variables(env)]
  try {
    const backup = await unopenedBackup(config)
    if (backup) findings.push(backup, ...integrity(config, deep, databaseFiles(config).filter(existsSync)))
    else await examine(session, deep, findings)
  } catch (error) {
    const { message, hint } = failureOf(error)
    findings.push(fail('system', message, hint ?? 'mend this first, then ask again'))
  }
  await writeRows(
    output,
    [findings.map(({ check, status, says, todo = null }) => ({ check, status, says, todo }))],
    {
      columns: [
        { key: 'status', tone: (status) => tones[status as Finding['status']] },
        { key: 'check' },
        { key: 'says', leaveOut: 'middle' },
        { key: 'todo', title: 'what to do' },
      ],
    },
  )
  // A narrow terminal cuts the table's sentences: those that matter are said in full.
  if (output.isTTY)
    for (const { check, status, says, todo } of findings)
      if (status !== 'ok') await output.write(`${status} ${check}: ${says}${todo ? `\n  ${todo}` : ''}\n`)
  const failed = findings.filter(({ status }) => status === 'fail').length
  return failed === 0 ? undefined : refused(`${plural(failed, 'check')} failed`, 'what to do is said above')
}

/** Adds a finding for each part of the home. Those of files come first: they may say why the system cannot open. */
const examine = async (session: Session, deep: boolean, findings: Finding[]): Promise<void> => {
  const { config } = session
  const { workflows } = await import('../../workflows/all.ts')
  const machine = () =>
    findings.push(permissions(config), ...writtenFolders(config, workflows), ...integrity(config, deep))
  const isThere = databaseFiles(config).every((file) => existsSync(file))
  if (isThere) machine()
  const system = await session.system()
  if (!isThere) machine()
  findings.push(await eventStore(system))
  if (deep || !isLargeLog(config)) findings.push(await wholeLog(system))
  findings.push(await broker(system), await clock(system))
  findings.push(...(await groupsOfThisLog(system)))
  findings.push(await messageLag(system), ...(await restingPartitions(system)), await viewLag(system))
  findings.push(...(await setAlike(system)))
  findings.push(...messageLinks(system.config))
  findings.push(keptHistory(system), ...(await historyCopies(config)))
  findings.push(...(await waitsForPeople(system)))
  for (const workflow of system.workflows) findings.push(...(await checksOf(workflow, system)))
  findings.push(...(await backups(config, system.clock.now())), reach(system))
  findings.push(...(await signIn(system)))
}

/** A check that fails by itself keeps no other from being made. */
const checksOf = async ({ name, checks }: Workflow, system: System): Promise<readonly Finding[]> => {
  try {
    return (await checks?.(system)) ?? []
  } catch (error) {
    const { message, hint } = failureOf(error)
    return [fail(name, message, hint ?? 'mend this first, then ask again')]
  }
}

const tones = { ok: 'good', warn: 'warning', fail: 'bad' } as const

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

/** Other checks of doctor look at these more closely. */
const checkedElsewhere = new Set(['away', 'paused', 'stuck', 'stopped'])

const kindOf = ({ key }: Cause): string => key.split('/', 1)[0] ?? key
