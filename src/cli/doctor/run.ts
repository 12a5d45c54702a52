import { existsSync } from 'node:fs'
import { unopenedBackup } from '../../app/doctor/backups.ts'
import { systemChecks } from '../../app/doctor/system-checks.ts'
import { reach } from '../../app/doctor/work.ts'
import { type Finding, fail } from '../../workflows/finding.ts'
import type { Session } from '../context.ts'
import { failureOf } from '../failures.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { writeRows } from '../output/format.ts'
import { plural } from '../output/text.ts'
import { writtenFolders } from './folders.ts'
import {
  configSources,
  databaseFiles,
  integrity,
  isLargeLog,
  nodeVersion,
  permissions,
  variables,
} from './machine.ts'

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
  const isWhole = deep || !isLargeLog(config)
  for await (const finding of systemChecks(system, { isWhole, explain: failureOf })) findings.push(finding)
  findings.push(reach(system))
}

const tones = { ok: 'good', warn: 'warning', fail: 'bad' } as const
