import * as t from 'io-ts'
import { systemChecks } from '../../app/doctor/system-checks.ts'
import type { System } from '../../app/system.ts'
import { Text, Time } from '../../domain/kernel/codecs.ts'
import { millisBetween, SECOND } from '../../domain/kernel/time.ts'
import { type Finding, fail } from '../../workflows/finding.ts'
import { type ApiContext, v1 } from '../context.ts'
import { json, type Route, route } from '../http/route.ts'

/** Some checks ask other servers: an answer that is younger is given again. */
const minMillis = 5 * SECOND

interface Made {
  readonly at: string
  readonly checks: readonly Finding[]
}

/** The checks of `fonds doctor`, made by the process that answers. */
export const checkRoutes = ({ system }: Pick<ApiContext, 'system'>): readonly Route[] => {
  let last: Made | undefined
  let underWay: Promise<Made> | undefined
  const make = async (): Promise<Made> => {
    const at = system.clock.now()
    last = { at, checks: await checksOf(system) }
    return last
  }
  const made = async (): Promise<Made> => {
    const now = system.clock.now()
    if (last !== undefined && last.at <= now && millisBetween(last.at, now) < minMillis) return last
    underWay ??= make().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  return [
    route(
      {
        method: 'get',
        path: `${v1}/checks`,
        operationId: 'checks',
        summary: 'Whether everything is well, and what to do where it is not: the lines of `fonds doctor`.',
        description:
          'Of the process that answers: what it depends on, the work, what waits for people, the last backup, each workflow. Nothing is ' +
          'changed. Left out is what reads whole files or what the command was started with: `fonds doctor` has that as well. An answer that is ' +
          'younger than five seconds is given again.',
        tags: ['operation'],
        permission: 'administer',
        parameters: [],
        responses: {
          200: {
            description: 'The checks, in the order in which they are made, and when they were begun.',
            codec: t.type({
              at: Time,
              checks: t.readonlyArray(
                t.type({
                  check: Text,
                  status: t.keyof({ ok: null, warn: null, fail: null }),
                  says: Text,
                  /** Null where nothing is to be done. */
                  todo: t.union([Text, t.null]),
                }),
              ),
            }),
          },
        },
        problems: [],
      },
      async () => {
        const { at, checks } = await made()
        return json({ at, checks: checks.map(({ todo = null, ...one }) => ({ ...one, todo })) })
      },
    ),
  ]
}

const checksOf = async (system: System): Promise<readonly Finding[]> => {
  const found: Finding[] = []
  try {
    for await (const one of systemChecks(system, { isWhole: false, explain })) found.push(one)
  } catch (error) {
    found.push(fail('system', explain(error).message, 'mend this first, then ask again'))
  }
  return found
}

const explain = (error: unknown) => ({ message: error instanceof Error ? error.message : String(error) })
