import { causesOf } from '../../app/causes.ts'
import type { System } from '../../app/system.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import type { Cause } from '../../workflows/cause.ts'
import { type Finding, ok, warn } from '../../workflows/finding.ts'
import { visible } from '../output/text.ts'
import { whatToDo } from './dependencies.ts'

/** Returns a line for each task of a person, with the command that resolves it. Notices report the same. */
export const waitsForPeople = async (system: System): Promise<readonly Finding[]> => {
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
