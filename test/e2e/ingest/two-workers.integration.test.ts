import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workStates } from '#src/domain/ingest/transitions.ts'
import { manifest, testServer } from '../../workflows/ingest/ingest-world.ts'
import { ask, type Line, start, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { archiveOverHttp } from './archive-over-http.ts'

/* Two processes with one hand each, at one home. */

const jobs = 12

it('X23, X25: of two workers one has a job; what it is at, and what has ended, takes no command that does not fit', async () => {
  const { home, root } = useFolder()
  const open: (() => void)[] = []
  let areBothAtWork = false
  // The first answers wait until two files are asked for at once, which two hands do.
  const files = await testServer(async ({ method, url }, response) => {
    if (method === 'GET' && !areBothAtWork) await new Promise<void>((resolve) => open.push(resolve))
    response.end(method === 'GET' ? `file ${url}` : undefined)
  })
  const rows = Array.from({ length: jobs }, (_, i) => [`${files.address}/${i}`])
  writeFileSync(join(root, 'batch.checkm'), manifest('mrt-single-file-batch-manifest', rows))
  const given = {
    home,
    env: { FONDS_HANDS: '1', FONDS_INGEST_FOLDERS: root, FONDS_INGEST_HOSTS: '127.0.0.1' },
  }
  const server = await startServer(given)
  const worker = start(['worker', 'ingest'], given)
  await worker.says('is at work')
  const archive = archiveOverHttp(server.address)
  const refused = async (name: string, input: object): Promise<string> => {
    const { status, body } = await archive.post(`commands/ingest.${name}`, {
      actor: 'ada',
      reason: 'asked',
      input,
    })
    expect(status, JSON.stringify(body)).toBe(409)
    return body.detail
  }

  const batch = await archive.submit(join(root, 'batch.checkm'))
  await until('both are at work', () => open.length === 2)
  const running = (await archive.jobsOf(batch)).filter(({ holder }: Line) => holder !== null)
  expect(new Set(running.map(({ holder }: Line) => holder)).size).toBe(2)
  const [{ job }] = running as [Line]
  expect(await refused('hold-job', { job })).toMatch(/is downloading: it cannot go from downloading to held/)
  expect(await refused('resume-job', { job })).toMatch(/is downloading/)
  expect(await refused('delete-job', { job, confirmed: true })).toMatch(
    /is downloading: it cannot go from downloading to deleted/,
  )
  expect(await refused('delete-batch', { batch, confirmed: true })).toMatch(
    /is processing: it cannot go from processing to deleted/,
  )
  areBothAtWork = true
  for (const answer of open) answer()
  await archive.batchIs(batch, 'completed')

  const before = await archive.jobsOf(batch)
  expect(await refused('resume-job', { job })).toMatch(/is completed: it cannot go from completed to/)
  expect(await refused('force-fail', { job, confirmed: true })).toMatch(/is completed/)
  expect(await refused('delete-job', { job, confirmed: true })).toMatch(/is completed/)
  expect(await refused('update-report', { batch })).toMatch(
    /is completed: it cannot go from completed to update-reporting/,
  )
  const withoutAge = (lines: readonly Line[]) => lines.map(({ ageSeconds: _, ...line }) => line)
  expect(withoutAge(await archive.jobsOf(batch))).toEqual(withoutAge(before))

  expect(await stop(worker)).toBe(0)
  expect(await stop(server)).toBe(0)
  const asked = files.asked.filter(({ method }) => method === 'GET').map(({ url }) => url)
  expect(asked.toSorted()).toEqual(rows.map((_, i) => `/${i}`).toSorted())
  // Each made each of its moves once.
  const moves = (await ask(['events', '--type', 'JobMoved'], given)).map(
    ({ stream, data }) => `${stream} ${data.from} ${data.to}`,
  )
  expect(moves).toHaveLength(jobs * workStates.length)
  expect(new Set(moves).size).toBe(moves.length)
  expect(await ask(['events', '--type', 'VersionStored'], given)).toHaveLength(jobs)
  expect(await ask(['ingest', 'audit'], given)).toEqual([])
})
