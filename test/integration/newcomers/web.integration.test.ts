import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linesOf, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'
import { pywbIsAbsent, startPywb } from '../judges/pywb.ts'
import { type Capture, cutShort, makeWarcs, warcio } from './inputs.ts'

/* A web archivist, by the command line: files are indexed, looked up and replayed; one is broken, and is put right. */

const by = ['--actor', 'wes', '--reason', 'the crawl of spring']
const home = 'http://example.org/'
const page = (url: string, date: string, title: string, status = '200 OK'): Capture => [
  url,
  date,
  `<html><title>${title}</title>${'…'.repeat(400)}</html>`,
  'text/html',
  status,
]

describe.skipIf('absent' in warcio || pywbIsAbsent)('a web archivist', () => {
  it('finds and replays what was harvested, learns what cannot be found, and corrects it', async () => {
    const { root, ...given } = useFolder()
    makeWarcs(root, {
      'A-20260101-00001.warc.gz': [
        page(home, '2026-01-01T10:00:00Z', 'The first home'),
        page('http://example.org/about.html', '2026-01-01T10:00:05Z', 'About'),
        page('http://example.org/gone', '2026-01-01T10:00:07Z', 'Not there', '404 Not Found'),
      ],
      'B-20260201-00001.warc.gz': [page(home, '2026-02-01T10:00:00Z', 'The second home')],
      'C-20260301-00001.warc.gz': ['1', '2', '3', '4'].map((n) =>
        page(`http://broken.example.org/${n}`, '2026-03-01T10:00:00Z', `Page ${n}`),
      ),
    })
    const whole = readFileSync(join(root, 'C-20260301-00001.warc.gz'))
    cutShort(join(root, 'C-20260301-00001.warc.gz'), 0.6)

    // A file that was closed a moment ago waits, and the command says until when.
    const fresh = join(root, 'D-20260401-00001.warc.gz')
    writeFileSync(fresh, readFileSync(join(root, 'B-20260201-00001.warc.gz')))
    await ask(['indexing', 'add', root], given)
    const ran = await run(['indexing', 'run'], given)
    expect([ran.code, linesOf(ran)]).toEqual([1, [{ new: 1, failed: 1, indexed: 2 }]])
    expect(ran.stderr).toMatch(/2 files are not due yet, the first from \d{4}-\d\d-\d\dT/)
    expect(ran.stderr).toContain('FONDS_INDEXING_GRACE_SECONDS')
    expect(ran.stderr).toContain('`fonds indexing failed` says why')

    // Looked up: of a URL, of all beneath one, and why one cannot be found.
    const captures = async (...of: readonly string[]) => ask(['indexing', 'captures', ...of], given)
    expect(await captures(home)).toMatchObject([
      { timestamp: '20260101100000' },
      { timestamp: '20260201100000' },
    ])
    const starred = await run(['indexing', 'captures', 'http://example.org/*', '--format', 'table'], given)
    expect(starred.stdout + starred.stderr).toContain(
      '`fonds indexing captures http://example.org/ --match prefix`',
    )
    expect(await captures(home, '--match', 'prefix')).toHaveLength(4)
    const why = async (of: string) => {
      const [answer] = await ask(['indexing', 'why', of], given)
      return answer.reasons.join('\n')
    }
    expect(await why('http://broken.example.org/4')).toContain(
      'it may be in 2 files not indexed yet (1 failed, 1 new)',
    )
    const failed = await why('C-20260301-00001.warc.gz')
    expect(failed).toContain('the file ends within a gzip member')
    expect(failed).toContain('`fonds do indexing.salvage repository=main name=C-20260301-00001.warc.gz`')
    const [found] = await ask(['find', home], given)
    expect(found).toMatchObject({ kind: 'indexing-captures', id: home })

    // Replayed by pywb, through the CDX server and the files that Fonds serves.
    const server = await startServer(given)
    const pywb = await startPywb({
      web: { index: `cdx+${server.address}/cdx`, archive_paths: `${server.address}/warc/` },
    })
    expect(await pywb.text('web', `20260115mp_/${home}`)).toContain('<title>The first home</title>')
    expect(await pywb.text('web', `20260301mp_/${home}`)).toContain('<title>The second home</title>')
    const cdx = async (query: string) => (await fetch(`${server.address}/cdx?${query}`)).text()
    expect(await cdx('url=http://example.org/*&output=json')).toContain('http://example.org/about.html')
    const range = await fetch(`${server.address}/warc/A-20260101-00001.warc.gz`, {
      headers: { range: 'bytes=0-9' },
    })
    expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 10])

    // The broken one is salvaged: what is whole can be found, and what is lost is told.
    await ask(['do', 'indexing.salvage', 'repository=main', 'name=C-20260301-00001.warc.gz', ...by], given)
    const state = (name: string) => async () => {
      const files = await ask(['indexing', 'files'], given)
      return files.find((file) => file.name === name)?.state
    }
    const stateOfC = state('C-20260301-00001.warc.gz')
    await until('it is salvaged', async () => (await stateOfC()) === 'indexed')
    expect(await why('C-20260301-00001.warc.gz')).toContain('it is damaged and was salvaged')
    await until(
      'its lines are in the index',
      async () => (await captures('http://broken.example.org/1')).length === 1,
    )
    const lost = await why('http://broken.example.org/4')
    expect(lost).toContain('it may be among what 1 salvaged file lost')
    expect(lost).not.toContain('all files that are known are indexed')

    // The whole file comes back: it is read anew, and the last page is found.
    writeFileSync(join(root, 'C-20260301-00001.warc.gz'), whole)
    const anHourAgo = new Date(Date.now() - 3_000_000)
    utimesSync(join(root, 'C-20260301-00001.warc.gz'), anHourAgo, anHourAgo)
    await ask(['indexing', 'add', root], given)
    await until(
      'the last page is found',
      async () => (await captures('http://broken.example.org/4')).length === 1,
    )

    // Corrections: a page that must not be shown, and a file that must not be there.
    const rule = ['rule=takedown-17', 'policy=deny', 'match=exact', 'url=http://example.org/about.html']
    await ask(['do', 'indexing.set-access-rule', ...rule, ...by], given)
    expect(await cdx('url=http://example.org/about.html')).toBe('')
    expect(await why('http://example.org/about.html')).toBe(
      'the rule of access takedown-17 hides 1 capture: `fonds indexing access` says more',
    )
    await ask(['do', 'indexing.withdraw', 'repository=main', 'name=B-20260201-00001.warc.gz', ...by], given)
    await until('its line is gone', async () => (await captures(home)).length === 1)
    expect(await why('B-20260201-00001.warc.gz')).toContain(
      '`fonds do indexing.reset repository=main name=B-20260201-00001.warc.gz`',
    )
    expect(await pywb.text('web', `20260301mp_/${home}`)).toContain('<title>The first home</title>')
  })
})
