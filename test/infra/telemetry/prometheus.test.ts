import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { left } from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { measure } from '#src/app/measure.ts'
import type { System } from '#src/app/system.ts'
import { waitUntilIdle } from '#src/app/wait-until-idle.ts'
import { UnavailableError } from '#src/async/unavailable.ts'
import { observationsTopic } from '#src/domain/fixity/messages.ts'
import { submissionsTopic } from '#src/domain/ingest/messages.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { folderOf, produce, registerFolder, started, testSystem } from '../../app/archive.ts'
import { patience } from '../../patience.ts'

/** The samples of a Prometheus text: `name{labels}` to value. */
const samples = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ')
        return [line.slice(0, space), Number(line.slice(space + 1))] as const
      }),
  )

/** Each metric that the page lists, with the labels it is said to have. */
const documented = (): readonly { readonly name: string; readonly labels: readonly string[] }[] => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/guides/watch.md'), 'utf8')
  const cells = [...page.matchAll(/^\| (`fonds_.*?) \|/gm)].map(([, cell]) => cell!)
  return cells.flatMap((cell) => {
    const written = [...cell.matchAll(/`([a-z_]+)(?:\{([a-z,]+)\})?`/g)]
    const first = written[0]![1]!
    // `fonds_streams_busy`, `_failing`: the same beginning.
    const stem = first.slice(0, first.lastIndexOf('_'))
    return written.map(([, name, labels]) => ({
      name: name!.startsWith('_') ? stem + name : name!,
      labels: labels?.split(',') ?? [],
    }))
  })
}

let system: System
beforeEach(async () => {
  system = await testSystem()
})

describe('metrics', () => {
  it('after some work hold every one that docs/guides/watch.md lists, with its labels', async () => {
    const root = await folderOf({ 'a.txt': 'A' })
    await registerFolder(system, 'main', root)
    await started(system, ['processors', 'reactions', 'projections', 'workers'])
    await produce(system, { path: 'a.txt' })
    await system.broker.produce([
      { topic: 'fonds.fixity.content', key: null, headers: {}, value: 'nonsense' },
    ])()
    await waitUntilIdle(system)
    const isChecked = () => system.viewStore.query('fixity-items', {})[0]?.lastChecked !== null
    await vi.waitUntil(isChecked)
    const sighting = {
      store: 'main',
      path: 'a.txt',
      content: { status: 'missing' },
      storage: { status: 'missing' },
    }
    await reportOnTopic(system, observationsTopic, 'https://repository.example', [
      { type: 'content.observed', data: { ...sighting, observedAt: '2020-01-01T00:00:00Z' } },
    ])
    await waitUntilIdle(system)
    const found = [...samples(await system.metrics()).keys()]

    expect(documented().length).toBeGreaterThan(13)
    for (const { name, labels } of documented()) {
      const mine = found.filter((sample) => new RegExp(`^${name}(_count)?([{]|$)`).test(sample))
      expect(mine, name).not.toEqual([])
      for (const label of labels) expect(mine[0], name).toContain(`${label}="`)
    }
  })

  it('say of each part what it has yet to handle, until that is nothing', async () => {
    const lag = async (part: string) => samples(await system.metrics()).get(`fonds_lag{part="${part}"}`)
    const before = await started(system, ['projections'])
    await produce(system, { path: 'a.txt' }, { path: 'b.txt' })
    expect(await lag('fonds.fixity')).toBe(2)
    await before.stop()
    const processing = await started(system, ['processors'])
    await vi.waitUntil(async () => (await lag('fonds.fixity')) === 0)
    await processing.stop()
    expect(await lag('fixity')).toBeGreaterThan(1)
    expect(await lag('fixity-neighbours')).toBeGreaterThan(1)
    await started(system, ['projections', 'reactions'])
    await waitUntilIdle(system)
    for (const part of ['fonds.fixity', 'fixity', 'fixity-neighbours', 'fixity-store-checks', 'dead-letters'])
      await vi.waitFor(async () => expect(await lag(part), part).toBe(0))
  })

  it('name the record that a partition stands at, until it moves on', async () => {
    const rests = async () =>
      [...samples(await system.metrics())].filter(([name]) => name.includes('partition_rests'))
    const since = new Date(Date.now() - 90_000).toISOString()
    const place = { processor: 'p', topic: 't', partition: 3, offset: 501n, since }
    const resting = vi.spyOn(system.partitions, 'resting').mockReturnValue([place])
    const [[name, seconds] = []] = await rests()
    expect(name).toBe('fonds_partition_rests_seconds{processor="p",topic="t",partition="3",offset="501"}')
    expect(seconds).toBeGreaterThanOrEqual(90)
    resting.mockReturnValue([])
    expect(await rests()).toEqual([])
  })

  it('can be asked for before there are topics and views', async () => {
    expect(samples(await system.metrics()).get('fonds_lag{part="fixity"}')).toBe(0)
  })

  it('go on telling the rest while views or log are away', async () => {
    await produceOne()
    const generations = () => {
      throw new UnavailableError('locked')
    }
    const away = { kind: 'Unavailable', reason: 'locked' } as const
    const eventStore = { ...system.eventStore, head: () => async () => left(away) }
    const gauge = vi.spyOn(system.telemetry, 'gauge')
    await measure({ ...system, viewStore: { ...system.viewStore, generations }, eventStore })
    expect(gauge).toHaveBeenCalledWith('lag', { part: 'fonds.fixity' }, 1)
    gauge.mockClear()
    await measure({ ...system, broker: { ...system.broker, topics: () => async () => left(away) } })
    expect(gauge).toHaveBeenCalledWith('lag', { part: 'fixity-neighbours' }, 0)
  })

  it('tell how many batches and jobs of ingest are in which state', async () => {
    const content = await folderOf({ 'a.txt': 'A' })
    await started(system, ['processors', 'projections', 'reactions', 'workers'])
    const data = {
      batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21',
      ...{ profile: 'default', submitter: 'ada', mode: 'add' },
      payload: { url: pathToFileURL(join(content, 'a.txt')).href, type: 'file' },
    }
    await reportOnTopic(system, submissionsTopic, 'fonds://test', [{ type: 'batch.submitted', data }])
    await expect
      .poll(async () => samples(await system.metrics()), { timeout: patience })
      .toSatisfy(
        (shown: ReadonlyMap<string, number>) =>
          shown.get('fonds_in_state{workflow="ingest",what="batches",state="completed"}') === 1 &&
          shown.get('fonds_in_state{workflow="ingest",what="jobs",state="completed"}') === 1 &&
          shown.get('fonds_in_state{workflow="ingest",what="jobs",state="open"}') === 0 &&
          shown.get('fonds_bytes_in_process{workflow="ingest"}') === 0,
      )
  })

  it('of what is known beforehand are there at 0, of a workflow that was never used not at all', async () => {
    await registerFolder(system, 'main', await folderOf({}))
    await started(system, ['processors', 'projections', 'reactions', 'workers'])
    await waitUntilIdle(system)
    const shown = samples(await system.metrics())
    for (const name of [
      'fonds_messages_total{processor="fonds.fixity",outcome="rejected"}',
      'fonds_dead_letters_total{processor="fonds.fixity",reason="not-json"}',
      'fonds_tasks_total{worker="fixity",queue="high"}',
      'fonds_hands_busy{worker="fixity"}',
      'fonds_findings_open{workflow="fixity",store="main",class="external",age="older"}',
      'fonds_fixity_items{store="main",state="late"}',
      'fonds_fixity_store_away_seconds{store="main"}',
      'fonds_in_state{workflow="ingest",what="batches",state="failed"}',
      'fonds_dead_letters_waiting',
      'fonds_last_backup_timestamp_seconds',
      'fonds_paused{workflow="ingest"}',
      'fonds_paused{workflow="research"}',
    ])
      expect(shown.get(name), name).toBe(0)
    const processed = [...shown.keys()].filter((name) => name.startsWith('fonds_events_projected_total'))
    expect(processed.length).toBeGreaterThan(4)
    expect(shown.get('fonds_group_members{part="fonds.fixity"}')).toBe(1)
  })

  it('tell how long the oldest due task waits, and how many wait for a person', async () => {
    await registerFolder(system, 'main', await folderOf({}))
    await started(system, ['processors', 'projections', 'reactions'])
    await produce(system, { path: 'a.txt' })
    await waitUntilIdle(system)
    const now = system.clock.now()
    const later = new Date(Date.parse(now) + 3_600_000).toISOString()
    const gauge = vi.spyOn(system.telemetry, 'gauge')
    await measure({ ...system, clock: { ...system.clock, now: () => later } })
    const ages = gauge.mock.calls.flatMap(([name, labels, value]) =>
      name === 'task_age_seconds' && labels.workflow === 'fixity'
        ? [[labels.queue, Math.floor(value / 60)]]
        : [],
    )
    expect(ages).toEqual([
      ['high', 0],
      ['low', 60],
    ])
    expect(gauge).toHaveBeenCalledWith('tasks_parked', { workflow: 'fixity' }, 0)
  })
})

const produceOne = async () => {
  const running = await started(system, [])
  await produce(system, { path: 'a.txt' })
  await running.stop()
}
