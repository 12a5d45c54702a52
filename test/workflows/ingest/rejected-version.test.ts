import { isLeft } from 'fp-ts/lib/Either.js'
import { expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { objectStream } from '#src/domain/ingest/ids.ts'
import { objectDecider } from '#src/domain/ingest/object/decide.ts'
import type { ObjectHolder } from '#src/domain/ingest/object/state.ts'
import type { ObjectStore } from '#src/ports/object-store.ts'
import { record } from '#src/workers/ingest/steps/record.ts'
import type { StepContext, StepTools } from '#src/workers/ingest/steps/step.ts'
import type { Adapters } from '#src/workflows/adapters.ts'
import { started } from '../../app/archive.ts'
import { fakeClock } from '../../fakes/clock.ts'
import { ingestWorld } from './ingest-world.ts'

/** Another job has the object as soon as a version was written. */
const takenOver = ({ adapters, states, execute, clock }: System): Adapters['ingest']['objectStore'] => {
  const takeOver = async (ark: string) => {
    const { state } = await orThrow(() => states.load(objectDecider, objectStream(ark)))
    const over = state.holder as ObjectHolder
    const of = { ark, job: 999, fence: 1, actor: 'test', at: clock.now() }
    const command = { type: 'ClaimObject', over, ...of } as const
    const claimed = await execute(objectDecider, { stream: objectStream(ark), command, causationId: 'taken' })
    if (isLeft(claimed) || claimed.right.kind !== 'done') throw new Error(JSON.stringify(claimed))
  }
  return async () => {
    const objects: ObjectStore = await adapters.ingest.objectStore()
    const write: ObjectStore['write'] = (version, signal) => async () => {
      const stored = await objects.write(version, signal)()
      await takeOver(version.object)
      return stored
    }
    return { ...objects, write }
  }
}

it('I32: a job whose object does not take its version stays in storing, and is not recorded', async () => {
  const world = await ingestWorld({}, ['processors', 'reactions', 'projections'])
  const { system } = world
  const ingest = { ...system.adapters.ingest, objectStore: takenOver(system) }
  await started({ ...system, adapters: { ...system.adapters, ingest } }, ['workers'])
  const url = await world.file('a.txt', 'A')
  const batch = await world.submit({ payload: { url, type: 'file' } })
  expect(await world.ended(batch)).toMatchObject({ state: 'failed', failed: 1 })
  const [job] = world.jobsOf(batch)
  expect(job).toMatchObject({ failedIn: 'storing', lastSuccessfulStatus: 'processing', version: null })
  expect(job?.message).toMatch(/does not hold the object; job 999 under claim 1 does/)
})

it('I32: what others told is not recorded where the object knows no such version', async () => {
  const clock = fakeClock()
  const recording = (...jobs: readonly number[]) => {
    const versions = jobs.map((job) => ({ job, version: 2, inventoryDigest: '' }))
    const tools = {
      clock,
      viewStore: { query: () => [] },
      onViewChange: () => () => {},
      services: { identifiers: { knownObject: async () => ({ versions }) } },
    } as unknown as StepTools
    const context = {
      signal: new AbortController().signal,
      progress: () => {},
      aside: (wait) => wait,
    } as StepContext
    const job = { job: 12, found: { ark: 'ark:/99999/fk4abc', version: 2 } } as Parameters<typeof record>[0]
    return record(job, tools, context)
  }
  const unknown = expect(recording()).rejects.toThrow('knows version 2 as none')
  const ofAnother = expect(recording(7)).rejects.toThrow('knows version 2 as one of job 7')
  await clock.advance(60_000)
  await Promise.all([unknown, ofAnother])
})
