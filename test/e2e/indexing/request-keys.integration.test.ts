import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packed } from '../../../packages/warc/test/make-warc.ts'
import { pair } from '../../integration/judges/sent-requests.ts'
import { linesOf, useFolder } from '../run-fonds.ts'
import { ask, run } from '../run-here.ts'

it('indexing C18 doctor counts the files that were indexed before keys of requests were on, and its command has them indexed again', async () => {
  const { folder, home } = useFolder()
  const crawl = join(folder, 'crawl')
  mkdirSync(crawl)
  const url = 'http://example.org/search'
  const sent = {
    method: 'POST',
    mime: 'application/x-www-form-urlencoded',
    body: Buffer.from('q=1'),
    length: '3',
  }
  writeFileSync(join(crawl, 'posts.warc.gz'), packed(...pair(sent, 0, url)))
  utimesSync(join(crawl, 'posts.warc.gz'), new Date('2026-02-01'), new Date('2026-02-01'))
  writeFileSync(join(folder, 'elsewhere.txt'), 'elsewhere.warc.gz\n')

  const off = { home }
  const on = { home, env: { FONDS_INDEXING_REQUEST_KEYS: 'on' } }
  const finding = async (given: typeof off) =>
    linesOf(await run(['doctor'], given)).find(({ check }) => check === 'keys of requests')
  const keys = async () =>
    (await ask(['indexing', 'captures', url, '--match', 'prefix'], on)).map(({ key }) => key)

  await ask(['indexing', 'add', crawl], off)
  // Of files that others indexed, nobody knows what their lines are.
  await ask(['indexing', 'add', join(folder, 'elsewhere.txt'), '--indexed'], off)
  await run(['indexing', 'run'], off)
  expect(await keys()).toEqual(['org,example)/search'])
  expect(await finding(off)).toBeUndefined()
  const found = await finding(on)
  expect(found).toMatchObject({
    status: 'warn',
    says: expect.stringMatching(/^1 file was indexed before FONDS_/),
  })

  const [, query = ''] = /^`fonds ([^|]*) \|/.exec(String(found?.todo)) ?? []
  const listed = await ask(query.replaceAll("'", '').split(' '), on)
  expect(listed).toEqual([{ repository: 'main', name: 'posts.warc.gz' }])
  const list = join(folder, 'again.ndjson')
  writeFileSync(list, listed.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await ask(['do', 'indexing.reset', '--each', list, '--actor', 'ada', '--reason', 'keys of requests'], on)
  await run(['indexing', 'run'], on)
  expect(await keys()).toEqual(['org,example)/search?__wb_method=post&q=1'])
  expect(await finding(on)).toMatchObject({ status: 'ok' })
})
