import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workStates } from '#src/domain/ingest/transitions.ts'
import { sha256, testServer } from '../../workflows/ingest/ingest-world.ts'
import { type Line, startServer, stop, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'
import { archiveOverHttp } from './archive-over-http.ts'

/* Each step fails on purpose (reference ingest N14), over HTTP, in a process of its own. */

const stack = async () => {
  const { folder, home, root } = useFolder()
  const switches = join(folder, 'fail')
  mkdirSync(switches)
  // What is called back, too, lies on this machine.
  const inner = { FONDS_INGEST_FOLDERS: root, FONDS_INGEST_HOSTS: '127.0.0.1' }
  const given = { home, env: { FONDS_INGEST_FAIL_FOLDER: switches, ...inner } }
  const server = await startServer(given)
  return {
    root,
    given,
    server,
    archive: archiveOverHttp(server.address),
    turnOn: (name: string, says = '') => writeFileSync(join(switches, name), says),
    turnOff: (name: string) => rmSync(join(switches, name)),
  }
}

/** By which row a job fails in that state, and is resumed. */
const rows = {
  pending: ['I19', 'N7'],
  estimating: ['N1', 'N1'],
  provisioning: ['N2', 'N2'],
  downloading: ['I28', 'I35'],
  processing: ['I30', 'I36'],
  storing: ['N4', 'N4'],
  recording: ['I32', 'I37'],
  notify: ['I34', 'I38'],
} as const

describe('N14, N18', () => {
  it('a job that fails before and behind each of its steps is resumed there each time, and stored once (N1, N2, N4, N7, I35–I38)', async () => {
    const { root, given, server, archive, turnOn, turnOff } = await stack()
    const names = workStates.flatMap((state) => [state, `${state}-after`])
    for (const name of names) turnOn(name, `because of ${name}`)
    const told: unknown[] = []
    const receiver = await testServer(async ({ body }, response) => {
      const { object, version } = JSON.parse(body)
      // The seed: "immediately accessible". Whoever is told asks at once, over HTTP.
      const seen = await archive.get(`object?id=${encodeURIComponent(object)}&version=${version}`)
      told.push(seen.listedFiles.find(({ path }: Line) => path.startsWith('producer/')))
      response.end()
    })
    writeFileSync(join(root, 'letter.txt'), 'Dear all')
    const batch = await archive.submit(join(root, 'letter.txt'), { callback: receiver.address })
    const { number } = await archive.batchIs(batch, 'failed')
    const [{ job }] = await archive.jobsOf(batch)

    for (const [resumes, name] of names.entries()) {
      const state = workStates[Math.floor(resumes / 2)]!
      const failed = await archive.jobWhen(
        job,
        `has failed because of ${name}`,
        (one) => one.state === 'failed' && one.retryCount === resumes,
      )
      expect(failed).toMatchObject({ failedIn: state, permanent: false })
      expect(failed.message).toContain(`because of ${name}`)
      const why = await archive.get(`jobs/${job}/why`)
      expect(why.reasons).toMatchObject([{ kind: 'failed', step: state, because: failed.message }])
      turnOff(name)
      await archive.command('resume-job', { job })
    }
    const done = await archive.jobWhen(job, 'is completed', ({ state }) => state === 'completed')
    expect(done).toMatchObject({ retryCount: names.length, version: 1, files: 1 + 6 })

    // The report is the one that was made; only a person has another one made (C16).
    expect(await archive.get(`batches/${batch}/report`)).toMatchObject({ report: 1, result: 'FAIL' })
    await archive.command('update-report', { batch })
    await archive.batchIs(batch, 'completed')
    expect(await archive.get(`batches/${number}/report`)).toMatchObject({
      report: 2,
      result: 'OK',
      counts: { jobs: 1, completed: 1, newlyCompleted: 1, failed: 0 },
    })
    // Once by the step that failed behind its call, once by the one that did not.
    const letter = { path: 'producer/letter.txt', size: 8, sha256: sha256('Dear all') }
    expect(told).toMatchObject([letter, letter])

    expect(await stop(server)).toBe(0)
    const moves = (await ask(['events', '--type', 'JobMoved'], given)).map(({ data }) => data)
    const expected = workStates.flatMap((state) => {
      const [fails, resumed] = rows[state]
      const once = [
        { from: state, to: 'failed', cause: fails },
        { from: 'failed', to: state, cause: resumed },
      ]
      return [...once, ...once]
    })
    expect(
      moves
        .filter(({ from, to }) => from === 'failed' || to === 'failed')
        .map(({ from, to, cause }) => ({ from, to, cause })),
    ).toEqual(expected)
    expect(await ask(['events', '--type', 'ArkReserved'], given)).toHaveLength(1)
    expect(await ask(['events', '--type', 'VersionStored'], given)).toHaveLength(1)
    expect(await ask(['ingest', 'audit'], given)).toEqual([])
  })
})

it('N14: nothing fails on purpose where that is not set; where it is, the start and the doctor say so', async () => {
  const { root, given, server, archive, turnOn } = await stack()
  await server.says('FONDS_INGEST_FAIL_FOLDER is set')
  turnOn('storing')
  writeFileSync(join(root, 'letter.txt'), 'Dear all')
  await archive.batchIs(await archive.submit(join(root, 'letter.txt')), 'failed')
  const doctor = await run(['doctor'], given)
  expect(doctor.stdout).toContain('make steps of ingest fail')
  expect(await stop(server)).toBe(0)
  const { home } = given
  const submitted = await run(['ingest', 'submit', join(root, 'letter.txt'), '--wait'], { home })
  expect(submitted.code, submitted.stderr).toBe(0)
  expect(submitted.stderr).not.toContain('FONDS_INGEST_FAIL_FOLDER')
  expect(existsSync(join(given.env.FONDS_INGEST_FAIL_FOLDER, 'storing'))).toBe(true)
})
