import { type InstalledCheckout, installCheckout } from './checkouts.ts'
import { fonds } from './commands.ts'
import type { Measure, Side } from './measured.ts'

const sideOf = async (checkout: InstalledCheckout, home: string): Promise<Side> => {
  const { output } = await fonds(checkout, home, '--version')
  return { cost: checkout.installedBytes / 1e6, did: `fonds ${output.trim()} starts` }
}

/** Megabytes that `npm ci` lays down in a checkout of the last commit, beside the base. The same in every round: it is done once. */
export const install = (): Measure => {
  let measured: Promise<Side> | undefined
  return async ({ base, folder }) => {
    const theirs = await sideOf(base(), folder)
    measured ??= (async () => {
      const head = installCheckout('HEAD', folder)
      try {
        return await sideOf(head, folder)
      } finally {
        head.remove()
      }
    })()
    return { ours: await measured, theirs }
  }
}
