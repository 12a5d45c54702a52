import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inSoak } from './crash/seed.ts'

/* A log of 100,000,000 events, in a night, with 120 GB: `npm run soak -- --minutes 0 growing`. FONDS_TEST_EVENTS is another size. */

const hours = 12
const events = Number(process.env.FONDS_TEST_EVENTS ?? 100_000_000)

it.runIf(inSoak(0, 1))(
  'a message, an append, a question and a start cost at the end what they did at 1,000,000',
  {
    timeout: hours * 3_600_000,
  },
  () => {
    const bench = join(import.meta.dirname, '../../bench/growing.ts')
    const sizes = [1_000_000, 10_000_000, events].filter((size, i, all) => i === 2 || size < all[2]!)
    const { status } = spawnSync(process.execPath, [bench, ...sizes.map(String)], { stdio: 'inherit' })
    expect(status).toBe(0)
  },
)
