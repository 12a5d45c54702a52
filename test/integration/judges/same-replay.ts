import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { useFolder } from '../../e2e/run-fonds.ts'
import { indexByPywb, samples, startPywb } from './pywb.ts'

/** All captures of these samples replay alike: from the samples by pywb's own index, and from a running Fonds that has them indexed. */
export const expectSameReplay = async (names: readonly string[], fonds: string): Promise<void> => {
  const own = join(useFolder().folder, 'own.cdxj')
  indexByPywb(
    own,
    names.map((name) => join(samples, name)),
  )
  const pywb = await startPywb({
    own: { index_paths: own, archive_paths: `${samples}/` },
    fonds: { index: `cdx+${fonds}/cdx`, archive_paths: `${fonds}/warc/` },
  })
  const captures = readFileSync(own, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [key = '', time = ''] = line.split(' ', 2)
      return { time, url: JSON.parse(line.slice(key.length + time.length + 2)).url as string }
    })
  expect(captures.length).toBeGreaterThan(150)
  for (const { time, url } of captures) {
    const path = `${time}id_/${url}`
    const { status, headers, sha256 } = await pywb.replay('own', path)
    const replayed = await pywb.replay('fonds', path)
    expect(replayed, path).toMatchObject({ status, headers })
    if (status !== 404) expect(replayed.sha256, path).toBe(sha256)
  }
}
