import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer, useFolder } from '../../e2e/run-fonds.ts'
import { boardExpressions, rules, rulesFile } from '../../infra/prometheus/expressions.ts'
import { server } from '../servers.ts'

/* promtool judges the rules, runs them on series of ours, and parses each expression of the board. */

const promtool = server('promtool')

const run = (...args: readonly string[]): string =>
  execFileSync('address' in promtool ? promtool.address : '', args, { encoding: 'utf8', stdio: 'pipe' })

const inFile = (name: string, content: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-promtool-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(content))
  return path
}

interface Case {
  /** Series: what they show, minute by minute, in promtool's notation. */
  readonly fires: Readonly<Record<string, string>>
  readonly quiet: Readonly<Record<string, string>>
  /** When it is looked: long enough for `for`. */
  readonly afterMinutes: number
}

const days = (count: number) => count * 24 * 60
const constant = (value: number, minutes: number) => `${value}x${minutes + 1}`

/** One series that shows one value in the good case, and another in the bad one. */
const level = (series: string, good: number, bad: number, afterMinutes = 5): Case => ({
  fires: { [series]: constant(bad, afterMinutes) },
  quiet: { [series]: constant(good, afterMinutes) },
  afterMinutes,
})

const group = (lag: number, members: number, minutes: number) => ({
  'fonds_lag{part="fonds.fixity",instance="a"}': constant(lag, minutes),
  'fonds_group_members{part="fonds.fixity",instance="a"}': constant(members, minutes),
})

const researchers = (waiting: number, present: number) => ({
  'fonds_tasks_waiting{workflow="research",queue="items"}': constant(waiting, 30),
  'fonds_workers_present{workflow="research"}': constant(present, 30),
})

const cycle = (intervalDays: number, minutes: number) => ({
  // Time begins at 0 in these tests: all was looked at then.
  'fonds_fixity_looked_since_timestamp_seconds{store="main"}': constant(0, minutes),
  'fonds_fixity_interval_seconds{store="main"}': constant(intervalDays * 86_400, minutes),
})

const cases: Readonly<Record<string, Case>> = {
  FondsFindingsOpen: level(
    'fonds_findings_open{store="main",class="internal",age="week",instance="a"}',
    0,
    2,
  ),
  FondsFindingOld: level('fonds_finding_age_seconds{workflow="fixity"}', 86_400, 8 * 86_400),
  FondsItemsSuspect: level('fonds_fixity_items{store="main",state="suspect"}', 0, 1, days(1) + 5),
  FondsItemsLate: level('fonds_fixity_items{store="main",state="late"}', 0, 1, days(1) + 5),
  FondsCycleLate: {
    fires: cycle(1, days(4)),
    quiet: cycle(3, days(4)),
    afterMinutes: days(4),
  },
  FondsStoreAway: level('fonds_fixity_store_away_seconds{store="main"}', 60, 7200),
  FondsMatchingFault: level('fonds_in_state{workflow="matching",what="components",state="astray"}', 0, 1, 70),
  FondsDeadLetters: level('fonds_dead_letters_waiting{instance="a"}', 0, 3, 20),
  FondsTasksParked: level('fonds_tasks_parked{workflow="fixity"}', 0, 1, 70),
  FondsPaused: level('fonds_paused{workflow="ingest"}', 0, 1, days(1) + 5),
  FondsAbsent: {
    fires: { 'other_total{}': constant(1, 10) },
    quiet: { 'fonds_events_projected_total{projection="fixity"}': constant(0, 10) },
    afterMinutes: 10,
  },
  FondsGroupStopped: { fires: group(5, 0, 15), quiet: group(5, 1, 15), afterMinutes: 15 },
  FondsLags: level('fonds_lag{part="fixity",instance="a"}', 100, 20_000, 70),
  FondsPartitionRests: level(
    'fonds_partition_rests_seconds{processor="p",topic="t",partition="0",offset="7"}',
    60,
    600,
  ),
  FondsStreamsStalled: level('fonds_streams_stalled{processor="fonds.fixity"}', 0, 1, 15),
  FondsDefect: {
    fires: { 'fonds_dead_letters_total{processor="p",reason="defect"}': '0x5 1x30' },
    quiet: {
      'fonds_dead_letters_total{processor="p",reason="defect"}': constant(1, 30),
      'fonds_dead_letters_total{processor="p",reason="not-json"}': '0+1x30',
    },
    afterMinutes: 20,
  },
  FondsTasksWait: level('fonds_task_age_seconds{workflow="fixity",queue="low"}', 60, 100_000, 70),
  FondsLogChanged: level('fonds_sealed_differences', 0, 1, 1),
  FondsBackupOld: {
    fires: { fonds_last_backup_timestamp_seconds: constant(0, days(9)) },
    quiet: { fonds_last_backup_timestamp_seconds: constant(5 * 86_400, days(9)) },
    afterMinutes: days(9),
  },
  FondsNoResearcher: { fires: researchers(4, 0), quiet: researchers(4, 1), afterMinutes: 20 },
  FondsIndexWaits: level('fonds_index_change_age_seconds{}', 10, 3600),
}

const alerts = rules.map(({ alert }) => alert)

describe.skipIf('absent' in promtool)('promtool', () => {
  it('finds nothing wrong in the rules', () => {
    expect(run('check', 'rules', '--lint=all', '--lint-fatal', rulesFile)).toContain('SUCCESS')
  })

  it.each(alerts)('%s fires when it should, and not before', (alert) => {
    const one = cases[alert]
    if (!one) throw new Error(`there is no case for ${alert}`)
    // Long times need no minutes.
    const minutes = one.afterMinutes > days(1) ? 5 : 1
    const test = (series: Readonly<Record<string, string>>, firing: number) => ({
      interval: `${minutes}m`,
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
          eval_time: `${one.afterMinutes}m`,
          exp_samples: [{ labels: '{}', value: firing }],
        },
      ],
    })
    const content = {
      rule_files: [rulesFile],
      evaluation_interval: `${minutes}m`,
      tests: [test(one.fires, 1), test(one.quiet, 0)],
    }
    expect(run('test', 'rules', inFile('test.yaml', content))).toContain('SUCCESS')
  })

  it('finds nothing wrong in the metrics of all roles', async () => {
    const { address } = await startServer({ home: useFolder().home })
    const input = await (await fetch(`${address}/metrics`)).text()
    expect(input).toContain('nodejs_active_handles{')
    // What it finds it says on standard error, and some of it with code 0.
    const { status, stderr } = spawnSync(
      'address' in promtool ? promtool.address : '',
      ['check', 'metrics'],
      {
        input,
        encoding: 'utf8',
      },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it('reads every expression of the board', () => {
    const expressions = boardExpressions()
    expect(expressions.length).toBeGreaterThan(20)
    const content = {
      groups: [{ name: 'board', rules: expressions.map((expr, i) => ({ record: `board:${i}`, expr })) }],
    }
    expect(run('check', 'rules', inFile('board.yaml', content))).toContain(
      `${expressions.length} rules found`,
    )
  })
})
