import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addMillis, DAY } from '#src/domain/kernel/time.ts'
import { warc } from '../../workers/indexing/archive.ts'
import { ask, startServer, until, useFolder } from '../run-fonds.ts'

/* A WARC file under an embargo, through the command line and HTTP, by two processes on one log. */

const url = 'http://example.org/held.warc.gz'
const by = ['--actor', 'ada', '--reason', 'the deposit wants it']
const file = ['repository=main', 'name=held.warc.gz']

const put = (folder: string, name: string): string => {
  const path = join(folder, name)
  const date = new Date('2026-02-01T00:00:00Z')
  writeFileSync(path, warc(`http://example.org/${name}`))
  utimesSync(path, date, date)
  return path
}

it('indexing C19 an embargo holds in all processes as soon as its outcome was told, and its file is indexed', async () => {
  const { folder, home } = useFolder()
  const crawl = join(folder, 'crawl')
  mkdirSync(crawl)
  const cdx = join(folder, 'main.cdx')
  const env = { FONDS_INDEXING_GRACE_SECONDS: '1', FONDS_INDEXING_AGGREGATE_SECONDS: '1' }
  const given = { home, env: { ...env, FONDS_INDEXING_FILES: cdx } }
  const servers = [await startServer(given), await startServer(given, ['--roles', 'api'])]
  const get = async (path: string, address = servers[0]!.address) => {
    const response = await fetch(`${address}${path}`)
    return { status: response.status, text: await response.text() }
  }
  const everywhere = (path: string) => Promise.all(servers.map(({ address }) => get(path, address)))
  const sight = async (name: string, more: object) => {
    const data = { repository: 'main', name, location: put(crawl, name), ...more }
    const stdin = JSON.stringify({ type: 'file.sighted', data })
    await ask(['produce', 'fonds.indexing.files'], { ...given, stdin })
  }
  const tomorrow = addMillis(new Date().toISOString(), DAY).slice(0, 10)
  await sight('held.warc.gz', { embargoUntil: tomorrow })
  await sight('open.warc.gz', {})
  await until('both are indexed', async () => {
    const rows = await ask(['query', 'indexing-files', '--where', 'state=indexed'], given)
    return rows.length === 2
  })
  await until('the open one is found', async () =>
    (await get('/cdx?url=example.org/*')).text.includes('open.warc.gz'),
  )

  const hidden = async () => {
    for (const path of [
      `/cdx?url=${url}`,
      '/cdx?url=example.org/*',
      '/cdx?url=example.org/*&asOf=2999-01-01',
      '/cdx/changes',
    ])
      for (const { status, text } of await everywhere(path)) {
        expect(status).toBe(200)
        expect(text, path).not.toContain('held')
      }
    for (const { status } of await everywhere('/warc/held.warc.gz')) expect(status).toBe(404)
    for (const { status } of await everywhere('/warc/open.warc.gz')) expect(status).toBe(200)
  }
  const shown = async () => {
    for (const { text } of await everywhere(`/cdx?url=${url}`)) expect(text).toContain('held.warc.gz')
    for (const { text } of await everywhere('/cdx/changes')) expect(text).toContain('held.warc.gz')
    for (const { status } of await everywhere('/warc/held.warc.gz')) expect(status).toBe(200)
  }
  await hidden()
  expect(await ask(['indexing', 'captures', url], given)).toEqual([])
  expect((await ask(['indexing', 'why', url], given))[0].reasons).toEqual([
    'an embargo of held.warc.gz hides 1 capture: `fonds indexing why held.warc.gz` says more',
  ])
  expect((await ask(['indexing', 'why', 'held.warc.gz'], given))[0]).toMatchObject({
    state: 'indexed',
    lines: 1,
    findable: false,
    embargoUntil: tomorrow,
  })

  for (let i = 0; i < 3; i++) {
    await ask(['do', 'indexing.lift-embargo', ...file, ...by], given)
    await shown()
    await ask(['do', 'indexing.set-embargo', ...file, `until=${tomorrow}`, ...by], given)
    await hidden()
  }
  await until('the file of the index has the open one alone', () => {
    const lines = readFileSync(cdx, 'utf8')
    return lines.includes('open.warc.gz') && !lines.includes('held')
  })
  expect((await ask(['indexing', 'export', join(folder, 'held')], given))[0]).toMatchObject({ lines: 1 })
  await ask(['do', 'indexing.lift-embargo', ...file, ...by], given)
  await until('the file of the index has both', () => readFileSync(cdx, 'utf8').includes('held'))
  expect((await ask(['indexing', 'export', join(folder, 'lifted')], given))[0]).toMatchObject({ lines: 2 })
  const [whole] = await ask(['rebuild', 'indexing', '--verify'], given)
  expect(whole.differences).toEqual([])
})
