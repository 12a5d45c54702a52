import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import openContent from '#infra/content/open-content.ts'
import type { Broker, ProducerRecord } from '#src/ports/broker.ts'
import { startPoller } from '#src/workers/indexing/poller.ts'
import { until } from '../../fakes/clock.ts'
import { indexingWorld } from '../../processors/indexing/world.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('W6, W35 looks at each source again and again; one that cannot be read keeps none of the others', async () => {
  const world = indexingWorld()
  const folder = temporaryFolder()
  const seen: string[] = []
  const broker = {
    produce: (records: readonly ProducerRecord[]) => async () => {
      seen.push(...records.map(({ key }) => String(key)))
      return { _tag: 'Right', right: [] }
    },
  } as unknown as Broker
  const config = {
    indexingSources: `gone=${folder}/none,main=${folder}`,
    indexingPollSeconds: 900,
    stallSeconds: 60,
  }
  writeFileSync(join(folder, 'a.warc'), 'one')
  const poller = startPoller({ ...world, broker, config, openContent }, world.policy)
  onTestFinished(() => poller.stop())
  await until(() => world.clock.sleepers() === 1)
  expect(seen).toEqual(['main/a.warc'])
  writeFileSync(join(folder, 'b.warc'), 'two')
  await world.clock.advance(900_000)
  await until(() => seen.includes('main/b.warc'))
  expect(poller.name).toMatch(/^poller@/)
})

it('W6 looks at a source that is named while it runs within seconds, and no more at one that is named no more', async () => {
  const world = indexingWorld()
  const [first, second] = [temporaryFolder(), temporaryFolder()]
  const seen: string[] = []
  const broker = {
    produce: (records: readonly ProducerRecord[]) => async () => {
      seen.push(...records.map(({ key }) => String(key)))
      return { _tag: 'Right', right: [] }
    },
  } as unknown as Broker
  const config: { indexingSources?: string; indexingPollSeconds: number; stallSeconds: number } = {
    indexingPollSeconds: 900,
    stallSeconds: 60,
  }
  const poller = startPoller({ ...world, broker, config, openContent }, world.policy)
  onTestFinished(() => poller.stop())
  await until(() => world.clock.sleepers() === 1)
  writeFileSync(join(first, 'a.warc'), 'one')
  writeFileSync(join(second, 'b.warc'), 'two')
  config.indexingSources = `main=${first}`
  await world.clock.advance(2000)
  await until(() => seen.includes('main/a.warc') && world.clock.sleepers() === 1)
  config.indexingSources = `main=${second}`
  writeFileSync(join(first, 'c.warc'), 'three')
  await world.clock.advance(2000)
  await until(() => seen.includes('main/b.warc') && world.clock.sleepers() === 1)
  await world.clock.advance(900_000)
  await until(() => world.clock.sleepers() === 1)
  expect(seen).not.toContain('main/c.warc')
})

it('without sources it rests', async () => {
  const world = indexingWorld()
  const poller = startPoller(
    { ...world, broker: {} as Broker, openContent, config: { indexingPollSeconds: 900, stallSeconds: 60 } },
    world.policy,
  )
  await until(() => world.clock.sleepers() === 1)
  expect(poller.busy()).toBe(0)
  await poller.stop()
})
