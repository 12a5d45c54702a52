import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { warc } from '../../workers/indexing/archive.ts'
import { run, type Started, start, startServer, stop, until, useFolder } from '../run-fonds.ts'

/* The seed's second program: an aggregator that shares nothing with the indexer but folders. */

const useAggregator = (more: Readonly<Record<string, string>> = {}) => {
  const { folder, home } = useFolder()
  const index = join(folder, 'index')
  const incoming = join(index, 'incoming')
  mkdirSync(incoming, { recursive: true })
  const paths = ['main', 'new'].map((name) => join(folder, 'cdx', `${name}.cdx`))
  const env = {
    FONDS_INDEXING_FOLDER: index,
    FONDS_INDEXING_FILES: paths.join(),
    FONDS_INDEXING_AGGREGATE_SECONDS: '1',
    ...more,
  }
  /** As somebody who writes beside, and renames when all is there. */
  const put = (name: string, text: string) => {
    const draft = join(index, name)
    writeFileSync(draft, text)
    const before = new Date(Date.now() - 60_000)
    utimesSync(draft, before, before)
    renameSync(draft, join(incoming, name))
  }
  const given = { home, env }
  return {
    folder,
    home,
    index,
    incoming,
    paths,
    given,
    put,
    work: (): Started => start(['worker', 'aggregator'], given),
    /** What whoever reads all files finds, each line once. */
    lines: () =>
      [...new Set(paths.flatMap((path) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [])))]
        .filter(Boolean)
        .sort(),
  }
}

const line = (path: string, n = 0, file = 'a.warc.gz') =>
  `org,example)/${path} 2026013112000${n} http://example.org/${path} text/html 200 DIGEST - - 100 ${n} ${file}`

describe('an aggregator without a home', () => {
  it('W22, W23, W25, W26, W30 makes index files of files that were made by hand, and nothing else', async () => {
    const { folder, home, incoming, paths, put, work, lines } = useAggregator()
    const worker = work()
    await until('the files of the list are there', () => paths.every((path) => existsSync(path)))
    expect(paths.map((path) => statSync(path).size)).toEqual([0, 0])

    put('one.cdx', ` CDX N b a m s k r M S V g\n${line('b')}\n${line('a')}\n${line('a')}\n`)
    put(
      'two.cdxj',
      'org,example)/c 20260131120000 {"url": "http://example.org/c", "mime": "text/html", "status": "200", "digest": "D", "length": "9", "offset": "7", "filename": "c.warc.gz"}\n',
    )
    put('bad.cdx', `${line('x')}\nno line\n`)
    mkdirSync(join(incoming, 'a-folder'))
    await until('they are aggregated', () => lines().length === 3)
    expect(lines().map((one) => one.split(' ')[0])).toEqual([
      'org,example)/a',
      'org,example)/b',
      'org,example)/c',
    ])
    for (const path of paths) execFileSync('sort', ['-c', path], { env: { ...process.env, LC_ALL: 'C' } })
    await until('what is odd is told of', () => /bad\.cdx\.damaged/.test(worker.stderr()))
    expect(worker.stderr()).toMatch(/line 2:/)
    expect(worker.stderr()).toMatch(/a-folder/)
    expect(readdirSync(incoming).sort()).toEqual(['a-folder', 'bad.cdx.damaged'])

    put('one.cdx', `${line('b', 1)}\n`)
    await until('new lines took the place of old ones', () => lines().length === 2)
    expect(lines()[0]).toBe(line('b', 1))
    put('gone.withdrawn', 'one.cdx\n')
    await until('withdrawn lines are gone', () => lines().length === 1)

    expect(await stop(worker)).toBe(0)
    expect(existsSync(home)).toBe(false)
    expect(readdirSync(folder).sort()).toEqual(['cdx', 'content', 'index'])
  })

  it('W24 the second one waits, and goes on when the first is killed', async () => {
    const { put, work, lines } = useAggregator()
    const first = work()
    put('one.cdx', `${line('a')}\n`)
    await until('the first works', () => lines().length === 1)
    const second = work()
    await second.says(/another process/)
    first.child.kill('SIGKILL')
    await first.exit
    put('two.cdx', `${line('b')}\n`)
    await until('the second goes on', () => lines().length === 2)
    expect(await stop(second)).toBe(0)
  })

  it('W29 has the settings of replay made from the same list; those of others stay', async () => {
    const { folder, paths, work } = useAggregator()
    mkdirSync(join(folder, 'cdx'))
    const [xml, yaml] = ['CDXCollection.xml', 'config.yaml'].map((name) => join(folder, 'cdx', name))
    writeFileSync(yaml!, 'collections: mine\n')
    const worker = work()
    await worker.says(/was not written by Fonds/)
    await until('OpenWayback has its list', () => existsSync(xml!))
    for (const path of paths) expect(readFileSync(xml!, 'utf8')).toContain(`<value>${path}</value>`)
    expect(readFileSync(yaml!, 'utf8')).toBe('collections: mine\n')
    await stop(worker)
  })

  it('W27 by GNU sort makes the same bytes; where that fails, nothing is lost', async () => {
    const made: string[] = []
    for (const sort of ['own', 'gnu']) {
      const { put, work, lines, paths } = useAggregator({ FONDS_INDEXING_SORT: sort })
      for (let n = 0; n < 5; n++) put(`f${n}.cdx`, `${line(`p${n}`, n)}\n${line('same')}\n`)
      const worker = work()
      await until('all are aggregated', () => lines().length === 6)
      made.push(paths.map((path) => readFileSync(path, 'utf8')).join('--'))
      await stop(worker)
    }
    expect(made[1]).toBe(made[0])
    const { folder, put, lines, given } = useAggregator({ FONDS_INDEXING_SORT: 'gnu' })
    for (let n = 0; n < 3; n++) put(`f${n}.cdx`, `${line(`p${n}`, n)}\n`)
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'sort'), '#!/bin/sh\necho no space left >&2\nexit 2\n', { mode: 0o755 })
    const env = { ...given.env, PATH: `${bin}:${process.env.PATH}` }
    const worker = start(['worker', 'aggregator'], { ...given, env })
    await worker.says(/GNU sort failed.*no space left/)
    await stop(worker)
    const again = start(['worker', 'aggregator'], given)
    await until('all are aggregated', () => lines().length === 3)
    await stop(again)
  })
})

it('W23 an aggregator without log or home writes the same bytes as `fonds start`', async () => {
  const alone = useAggregator()
  const whole = useAggregator({ FONDS_INDEXING_GRACE_SECONDS: '1', FONDS_PORT: '0' })
  const date = new Date('2026-02-01T00:00:00Z')
  const crawl = join(whole.folder, 'content')
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(
      join(crawl, `${name}.warc.gz`),
      warc(`http://example.org/${name}`, `http://example.org/${name}/2`),
    )
    utimesSync(join(crawl, `${name}.warc.gz`), date, date)
  }
  const source = { ...whole.given, env: { ...whole.given.env, FONDS_INDEXING_SOURCES: `main=${crawl}` } }
  const server = await startServer(source)
  await until('all is in the index files', () => whole.lines().length === 6)
  const by = ['--actor', 'ada', '--reason', 'taken down']
  await run(['do', 'indexing.withdraw', 'repository=main', 'name=b.warc.gz', ...by], source)
  await until('the withdrawn lines are gone', () => whole.lines().length === 4)
  await stop(server)

  for (const name of ['a', 'c'])
    alone.put(
      `${name}.warc.gz.cdx`,
      `${whole
        .lines()
        .filter((one) => one.endsWith(` ${name}.warc.gz`))
        .join('\n')}\n`,
    )
  const worker = alone.work()
  await until('all is in the index files', () => alone.lines().length === 4)
  await stop(worker)
  const bytes = ({ paths }: { readonly paths: readonly string[] }) =>
    paths.map((path) => readFileSync(path, 'utf8')).sort()
  expect(bytes(alone)).toEqual(bytes(whole))
})
