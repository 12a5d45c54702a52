import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ask, run, useFolder } from './run-fonds.ts'

/** What `src/cli/demo/programme.ts` mixes into its episodes; the outtake is in none. */
const aired = [
  ['episode-1', '0:00.5', 'The opening tune'],
  ['episode-1', '0:21.3', 'What the host always says'],
  ['episode-1', '0:44.0', 'The station call'],
  ['episode-2', '0:01.3', 'The opening tune'],
  ['episode-2', '0:30.5', 'The station call'],
  ['episode-2', '0:33.8', 'What the host always says'],
  ['episode-2', '0:52.5', 'What the host always says'],
  ['episode-3', '0:02.0', 'The opening tune'],
  ['episode-3', '0:40.1', 'The station call'],
]

const timelineOf = (stdout: string) =>
  [...stdout.matchAll(/^(episode-\d) +(\d:[\d.]+) +(\S.*?) +0\.\d+$/gm)].map(([, ...cells]) => cells)

it('the demo shows every workflow and proves its views, and does so again', async () => {
  const { home, folder } = useFolder()
  // What the settings of the person name is not the demo's.
  const env = { FONDS_INGEST_STORAGE: join(folder, 'storage'), FONDS_INDEXING_FORMAT: 'cdxj' }
  for (const _ of ['for the first time', 'over what the first one left']) {
    const started = performance.now()
    const { code, stdout, stderr } = await run(['demo'], { home, env })
    expect(code, stderr).toBe(0)
    expect(performance.now() - started).toBeLessThan(60_000)
    const titles = [...stdout.matchAll(/^(\d+)\. .+\n─+$/gm)].map(([, number]) => Number(number))
    expect(titles).toEqual(titles.map((_, i) => i + 1))
    expect(titles.length).toBeGreaterThan(10)
    for (const projection of ['fixity', 'indexing', 'ingest', 'matching', 'research'])
      expect(stdout).toMatch(
        new RegExp(`^${projection}: \\d+ events folded anew, every row of \\d+ views? is the same`, 'm'),
      )
    expect(stdout).toMatch(/^after B +A D, B C +(\d) +(\d) +\2 +\1$/m)
    expect(timelineOf(stdout)).toEqual(aired)
    expect(stdout).toMatch(/^ {2}job \d failed letter-3: To nobody \(\S+letter-3\.txt is not there/m)
    expect(stdout).toMatch(/^Objects +3 completed \(1 since the last report\), 0 failed$/m)
    expect(stdout).toMatch(/^ark:\S+ +diary +Diary +1 +\d+ /m)
    expect(stdout).toMatch(/Version stored +by ingest@/)
    expect(stdout).toMatch(/^museum-2025\.warc\.gz +parked .*checksum/m)
    expect(stdout).toMatch(/^museum-2025\.warc\.gz +indexed +3 +\d+ *$/m)
    expect(stdout).toMatch(
      /^2026-01-31 12:00:00 +http:\/\/www\.museum\.example\/ +200 .* museum-2026\.warc\.gz$/m,
    )
    expect(stdout).toMatch(/Leases, by how they ended: .*expired/)
    expect(stdout).toContain('letters-of-ada-brandt/data/1912/07.tif')
    expect(stdout).toMatch(
      /^ {2}revision 0 of fixity-archive\/\S+07\.tif is not what was sealed as leaf \d+: its data was changed\.$/m,
    )
    expect(stdout).toMatch(/^Now you$/m)
    expect(stderr).not.toContain('"level":')
    expect(readdirSync(home)).toEqual(['demo'])
    expect(existsSync(env.FONDS_INGEST_STORAGE)).toBe(false)
  }
  const report = await run(['fixity', 'report'], { home: `${home}/demo` })
  expect(report.code).toBe(0)
  expect(report.stdout).toContain('"store":"archive"')
  const diary = await ask(['ingest', 'object', 'diary'], { home: `${home}/demo` })
  const { stdout: premis } = await run(['premis', diary[0].object, '--related'], { home: `${home}/demo` })
  for (const type of ['submission', 'ingestion start', 'transfer', 'ingestion', 'ingestion end'])
    expect(premis).toMatch(new RegExp(`<premis:eventType [^>]*>${type}<`))
  for (const [, named] of premis.matchAll(/linkingObjectIdentifierValue>(.+?)</g))
    expect(premis).toContain(`<premis:objectIdentifierValue>${named}<`)
  expect(diary[0].listedFiles.map(({ path }: { path: string }) => path)).toContain('producer/data/page-5.txt')
})
