import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { manifest } from '../../workflows/ingest/ingest-world.ts'
import { inSoak } from '../crash/seed.ts'
import { ask, linesOf, run, useFolder } from '../run-fonds.ts'

const count = inSoak(30_000, 100_000)

it('X4, X5: a manifest of many rows is one object; one whose last row is wrong fails before anything is fetched', async () => {
  const { home, root } = useFolder()
  writeFileSync(join(root, 'letter.txt'), 'Dear all')
  const url = `file://${root}/letter.txt`
  const rows = Array.from({ length: count }, (_, i) => [url, '', '', '8', '', `${i % 1000}/${i}.txt`])
  const write = (name: string, more: readonly (readonly string[])[]) => {
    writeFileSync(join(root, name), manifest('mrt-ingest-manifest', [...rows, ...more]))
    return join(root, name)
  }
  const submit = (path: string) => run(['ingest', 'submit', path, '--wait'], { home })

  const twice = await submit(write('twice.checkm', [[url, '', '', '', '', '0/0.txt']]))
  expect(twice.code).toBe(1)
  expect(linesOf(twice)[0]).toMatchObject({
    state: 'failed',
    version: null,
    message: expect.stringContaining(`line ${count + 3}: the name "0/0.txt" is taken by line 3`),
  })

  const whole = await submit(write('whole.checkm', []))
  expect(whole.code, whole.stderr.slice(-1000)).toBe(0)
  const [job] = linesOf(whole)
  expect(job).toMatchObject({ state: 'completed', version: 1 })
  const [object] = await ask(['ingest', 'object', job.ark], { home })
  expect(object.files).toBe(count + 7)
})
