import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openCaptureIndex } from '#infra/capture-index/capture-index.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()
const publish = async (...lines: readonly string[]) => {
  const index = openCaptureIndex(join(fonds.home, 'index/runs'))
  onTestFinished(() => index.close())
  const run = await index.write(lines.map((line) => `${line}\n`))
  await index.change([{ kind: 'publish', file: 'main/a.warc.gz', run, position: 7n }])
}
const why = (of: string) => fonds.run(['indexing', 'why', of])
const reasons = async (of: string) => (await why(of)).rows[0]?.reasons

describe('fonds indexing why <url>', () => {
  it('says of a URL in the index from when to when it was captured, and in which files', async () => {
    await publish(
      'org,example)/ 20250301000000 http://example.org/ text/html 200 AAAA - - 512 0 a.warc.gz',
      'org,example)/ 20260131120000 http://example.org/ text/html 200 BBBB - - 512 0 b.warc.gz',
    )
    expect((await why('http://www.example.org')).rows).toEqual([
      {
        ...{ url: 'http://www.example.org', key: 'org,example)/', findable: true, since: null, captures: 2 },
        ...{ files: ['a.warc.gz', 'b.warc.gz'], first: '20250301000000', last: '20260131120000' },
        reasons: [
          '2 captures: 2025-03-01 00:00:00 to 2026-01-31 12:00:00',
          '1 in a.warc.gz',
          '1 in b.warc.gz',
        ],
      },
    ])
    expect((await why('http://example.org/b')).rows).toMatchObject([{ findable: false, captures: 0 }])
    expect(await reasons('http://example.org/b')).toEqual([
      'nothing is in the index under the key org,example)/b',
      'its host has captures: `fonds indexing captures http://example.org/b --match host` lists them',
      'no archive file is known: `fonds indexing add <folder|list>` makes some known',
    ])
  })

  it('of a URL that is not in the index names the files that may hold it', async () => {
    const list = ['one.warc.gz', 'two.warc.gz', 'odd.bin'].map((name) => `/srv/${name}`).join('\n')
    const listed = fonds.file('list.txt', list)
    await fonds.run(['indexing', 'add', listed])
    const by = ['--actor', 'ada', '--reason', 'taken down']
    await fonds.run(['do', 'indexing.withdraw', 'repository=main', 'name=two.warc.gz', ...by])
    expect(await reasons('dns:example.org')).toEqual([
      'nothing is in the index under the key dns:example.org',
      'the index has no lines at all: none were published yet',
      'it may be in 2 files not indexed yet (1 new, 1 unknown): `fonds indexing late --hours 0` lists them',
      'it may be in 1 withdrawn file: `fonds indexing files --state withdrawn` lists them',
    ])
    await fonds.run(['indexing', 'add', fonds.file('old.txt', 'old.warc.gz'), '--indexed'])
    expect((await reasons('http://example.org/')) as readonly string[]).toContain(
      'it may be in 1 file that others indexed before Fonds came: Fonds did not write their lines',
    )
    expect((await why('main/one.warc.gz')).rows).toMatchObject([{ name: 'one.warc.gz', state: 'new' }])
    expect(await why('three.warc.gz')).toMatchObject({ code: 1, err: expect.stringContaining('no file') })
  })
})
