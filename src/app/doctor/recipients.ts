import { UnavailableError } from '../../async/unavailable.ts'
import { recipientOf } from '../../domain/kernel/person.ts'
import { parseReports } from '../../domain/kernel/report-schedule.ts'
import { type Finding, warn } from '../../workflows/finding.ts'
import { addressesOf } from '../../workflows/persons.ts'
import type { System } from '../system.ts'

type Needed = Pick<System, 'people'> & { readonly config: Pick<System['config'], 'noticesMail' | 'reports'> }

/** A line for each person whom reports or notices are to reach by mail, and for whom no mail address is kept here. */
export const recipients = async (system: Needed): Promise<readonly Finding[]> => {
  const { reports, noticesMail } = system.config
  const named = {
    reports: (reports === undefined ? undefined : parseReports(reports))?.flatMap(({ to }) => to) ?? [],
    noticesMail: (noticesMail?.split(',') ?? []).flatMap((one) => recipientOf(one.trim()) ?? []),
  }
  try {
    const findings: Finding[] = []
    for (const [setting, to] of Object.entries(named))
      for (const person of (await addressesOf(system, to)).without)
        findings.push(
          warn(
            'recipients',
            `${setting} names ${person}, for whom no mail address is kept here: no mail is sent to them`,
            `\`fonds people add <mail> --reference ${person}\`, or set ${setting} to somebody else`,
          ),
        )
    return findings
  } catch (error) {
    // Names and addresses that cannot be read have a line of their own.
    if (error instanceof UnavailableError) return []
    throw error
  }
}
