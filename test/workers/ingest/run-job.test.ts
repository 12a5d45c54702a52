import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { type WorkState, workStates } from '#src/domain/ingest/transitions.ts'
import { type JobRunner, runJob } from '#src/workers/ingest/run-job.ts'
import { createStepReports } from '#src/workers/ingest/step-reports.ts'
import { fakeClock } from '../../fakes/clock.ts'

/** Runs a job from `downloading` on; returns the steps that began, each with the state in the log at that moment. */
const run = async (deaths: number) => {
  const workFolder = mkdtempSync(join(tmpdir(), 'fonds-run-job-'))
  onTestFinished(() => rmSync(workFolder, { recursive: true, force: true }))
  const clock = fakeClock()
  const began: [step: WorkState, logged: WorkState | undefined][] = []
  let logged: WorkState | undefined = 'downloading'
  const steps = Object.fromEntries(
    workStates.map((state) => [
      state,
      async () => {
        began.push([state, logged])
        return {}
      },
    ]),
  )
  const services = {
    job: async () => ({ state: logged, claims: { lease: { fence: 4 } } }),
    paused: async () => undefined,
    recordsElsewhere: false,
  }
  const runner = {
    steps,
    tools: { clock, services },
    workFolder,
    waits: { over: () => {} },
    log: pino({ level: 'silent' }),
  }
  const reports = createStepReports('test', async (sent) => {
    for (const { data } of sent)
      for (const { state } of (data as { steps: { state: WorkState }[] }).steps)
        logged = workStates[workStates.indexOf(state) + 1]
  })
  const facts = { batch: '5b0c6f3e-8a4d-4f0e-9d59-3a1f0c9d7e21', job: 1 }
  const task = { job: 1, fence: 4, state: 'downloading', facts, found: {}, priority: 5, retries: 0, deaths }
  const running = {
    signal: new AbortController().signal,
    progress: () => {},
    aside: <A>(wait: A) => wait,
    enter: () => {},
    correlationId: 'test',
  }
  await runJob(
    { task, release: async () => {} } as never,
    reports,
    runner as unknown as JobRunner,
    running as never,
  )
  return { began, logged }
}

it('the next step begins before the report of the one before is in the log', async () => {
  const { began, logged } = await run(0)
  expect(began.slice(0, 2)).toEqual([
    ['downloading', 'downloading'],
    ['processing', 'downloading'],
  ])
  expect(logged).toBeUndefined()
})

it('X22: once a holder died of the job, each step is in the log before the next begins', async () => {
  const { began, logged } = await run(1)
  expect(began.map(([step]) => step)).toEqual(workStates.slice(workStates.indexOf('downloading')))
  expect(began.filter(([step, inLog]) => step !== inLog)).toEqual([])
  expect(logged).toBeUndefined()
})
