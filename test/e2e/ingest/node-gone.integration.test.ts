import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manifest, testServer } from '../../workflows/ingest/ingest-world.ts'
import { type Line, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

/* A node is gone for good, with its files and its work folder: to the node behind it, which has the log, the site is another. */

it('N15: the jobs whose files were in its work folder are failed, all of the batch at once, and the batch is reported', async () => {
  const { home, root } = useFolder()
  // It never answers: each job has room in the work folder, and gets no further.
  const files = await testServer(async ({ method }, response) => {
    if (method === 'HEAD') response.end()
  })
  const names = ['a.txt', 'b.txt', 'c.txt']
  const rows = names.map((name) => [`${files.address}/${name}`])
  writeFileSync(join(root, 'batch.checkm'), manifest('mrt-single-file-batch-manifest', rows))
  const jobs = () => ask(['query', 'ingest-jobs', '--format', 'ndjson'], { home })

  const before = await startServer({ home, env: { FONDS_HANDS: '3' } })
  await ask(['ingest', 'submit', join(root, 'batch.checkm')], { home })
  await until('all three are asked for', async () => {
    const known = await jobs()
    return known.length === 3 && known.every(({ state }) => state === 'downloading')
  })
  before.child.kill('SIGKILL')
  await before.exit
  for (const gone of [join(home, 'site'), join(home, 'ingest-work'), root])
    rmSync(gone, { recursive: true, force: true })

  const server = await startServer({ home })
  const force = (...fields: readonly string[]) =>
    run(['do', 'ingest.force-fail', ...fields, '--actor', 'ada', '--reason', 'node 1 burnt'], { home })
  const why = await until('what job 2 waits for is told', async () => {
    const [{ reasons }] = await ask(['ingest', 'why', '2'], { home })
    return reasons.find(({ kind }: Line) => kind === 'waits-for-site')
  })
  expect(why).toMatchObject({
    says: expect.stringMatching(
      /`fonds do ingest\.force-fail job=2` gives it up, and `batch=1` all open jobs/,
    ),
  })

  const one = await force('job=2', '--confirm')
  expect(one, one.stderr).toMatchObject({ code: 0 })
  const asked = await force('batch=1')
  expect(asked.code).toBe(1)
  expect(asked.stderr).toMatch(/2 of the 3 jobs of batch 1 will fail: .*--confirm/)
  const all = await force('batch=1', '--confirm')
  expect(all, all.stderr).toMatchObject({ code: 0 })
  expect(JSON.parse(all.stdout)).toMatchObject({
    outcome: 'done',
    events: [{ type: 'JobsForceFailed', data: { open: 2, reason: 'node 1 burnt' } }],
  })
  expect(await jobs()).toMatchObject(
    names.map(() => ({ state: 'failed', failedIn: 'downloading', message: 'node 1 burnt' })),
  )
  const batch = await until('the batch is reported', async () => {
    const [known] = await ask(['query', 'ingest-batches', '--format', 'ndjson'], { home })
    return known?.state === 'failed' && known
  })
  expect(batch).toMatchObject({ reports: 1, failed: 3, open: 0 })

  const again = await force('batch=1', '--confirm')
  expect(again.code).toBe(1)
  expect(again.stderr).toMatch(/batch 1 is failed: none of its jobs is open/)
  const unknown = await force('batch=9', '--confirm')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/there is no batch 9/)
  const both = await force('job=1', 'batch=1')
  expect(both.code).toBe(2)
  expect(both.stderr).toMatch(/exactly one of job, batch/)
  expect(await stop(server), server.stderr()).toBe(0)
})
