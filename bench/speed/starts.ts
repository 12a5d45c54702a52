import { join } from 'node:path'
import type { Checkout } from './checkouts.ts'
import { fonds } from './commands.ts'
import { countsIn } from './counts.ts'
import { onEmptyHome } from './homes.ts'
import { besideBase, type Round, type Side } from './measured.ts'

const firstCommand = (checkout: Checkout, round: Round): Promise<Side> =>
  onEmptyHome(round, async (home) => {
    const { processor, output } = await fonds(checkout, home, 'query', 'fixity-items')
    return { cost: processor, did: `${output.length} bytes of rows, ${countsIn(home)}` }
  })

/** The first command on an empty home makes log, topics and views: seconds of processor. One before it fills the compile cache. */
export const firstStart = besideBase(async (checkout, round) => {
  await round.once(`first command of ${checkout.name}`, () => firstCommand(checkout, round))
  return firstCommand(checkout, round)
})

/** `fonds demo`, all workflows: seconds of processor. */
export const demo = besideBase((checkout, round) =>
  onEmptyHome(round, async (home) => {
    const { processor } = await fonds(checkout, home, 'demo')
    return { cost: processor, did: countsIn(join(home, 'demo')) }
  }),
)
