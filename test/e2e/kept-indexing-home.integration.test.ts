import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* What older code kept, opened by today's: test/fixtures/homes/faf70dd/README.md says what is in it. */

const kept = join(import.meta.dirname, '../fixtures/homes/faf70dd/home.tar.gz')

it('W5 lines that older code wrote into files of their own come into the index of captures, each once', async () => {
  const { folder, home } = useFolder()
  execFileSync('tar', ['-xzf', kept, '-C', folder])
  for (const _ of ['for the first time', 'and again']) {
    await run(['indexing', 'run'], { home })
    const captures = await ask(['indexing', 'captures', 'example.org', '--match', 'domain'], { home })
    expect(captures.map(({ url, file }) => `${url} ${file}`)).toEqual([
      'http://example.org/ one.warc.gz',
      'http://example.org/a one.warc.gz',
      'http://example.org/b two.warc.gz',
    ])
  }
  const [{ differences }] = (await ask(['rebuild', 'indexing', '--verify'], { home })) as [
    { differences: object[] },
  ]
  expect(differences).toEqual([])
})
