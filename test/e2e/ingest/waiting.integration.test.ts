import { statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeContent } from '../archive.ts'
import { ask, linesOf, run, start, useFolder } from '../run-fonds.ts'

/* `--wait` where nobody knows for how long: it says what it waits for, and goes on waiting until it is stopped. */

/** A volume in memory may be empty but for this test. */
const fillMoreThanOnePercent = (folder: string): void => {
  const { blocks, bfree, bsize } = statfsSync(folder)
  const missing = Math.ceil(blocks * 0.02) - (blocks - bfree)
  if (missing > 0) writeFileSync(join(folder, 'filler'), Buffer.alloc(missing * bsize))
}

it.each<readonly [string, Record<string, string>, RegExp, string]>([
  [
    'room (I25)',
    { FONDS_INGEST_THRESHOLD_PERCENT: '1' },
    /batch 1: job 1: it waits for room on the work volume: it needs 8 B/,
    'waits-for-room',
  ],
  [
    'the word of another inventory (X18)',
    { FONDS_INGEST_INVENTORY: 'other' },
    /batch 1: job 1: it waits since \S+ for the word of another inventory/,
    'waits-for-inventory',
  ],
])('--wait says that it waits for %s', async (_, env, says, kind) => {
  const { home, root, folder } = useFolder()
  writeContent(root, 'a.txt', 'Dear all')
  fillMoreThanOnePercent(folder)
  const waiting = start(['ingest', 'submit', `${root}/a.txt`, '--wait'], { home, env })
  await waiting.says(says)
  waiting.child.kill('SIGINT')
  expect(await waiting.exit).toBe(1)
  expect(waiting.stderr()).toMatch(/stopped waiting: batch \S+ is submitted/)
  expect(waiting.stderr().match(/job 1: it/g)).toHaveLength(1)
  const [why] = await ask(['ingest', 'why', '1'], { home, env })
  expect(why?.reasons[0]).toMatchObject({ kind })
})

it('--wait ends with 1 where a job needs more than the work volume may ever have, with both numbers', async () => {
  const { home, root } = useFolder()
  writeContent(root, 'a.txt', 'Dear all')
  const { blocks, bsize } = statfsSync(root)
  truncateSync(`${root}/a.txt`, Math.floor((blocks * bsize) / 2))
  const env = { FONDS_INGEST_THRESHOLD_PERCENT: '1' }
  const { code, stdout, stderr } = await run(['ingest', 'submit', `${root}/a.txt`, '--wait'], { home, env })
  expect(code).toBe(1)
  expect(stderr).toMatch(/is submitted, and 1 job of it can never go on here: there is no volume that large/)
  const batch = linesOf({ stdout }).at(-1)
  expect(batch).toMatchObject({
    state: 'processing',
    reasons: [{ kind: 'waits-for-room', never: true, job: 1 }],
  })
  expect(batch.reasons[0].bytes).toBeGreaterThan(batch.reasons[0].mostBytes)
  const [waiting] = await ask(['ingest', 'waiting'], { home, env })
  expect(waiting.batches).toMatchObject([{ number: 1, needsPerson: true, reasons: [{ never: true }] }])
})
