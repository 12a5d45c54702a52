import { startRoles } from '../src/app/roles.ts'
import { openHome } from './system.ts'

/* Some roles on a home, until the parent is gone or says so. Tells when they work, then the seconds of processor that they took. */

const [home, ...roles] = process.argv.slice(2) as [string, ...Parameters<typeof startRoles>[1]]
const system = await openHome(home)
const running = await startRoles(system, roles)
const before = process.cpuUsage()
const stop = async () => {
  await running.stop()
  await system.close()
  const { user, system: kernel } = process.cpuUsage(before)
  process.send?.((user + kernel) / 1e6, () => process.disconnect())
}
process.once('message', () => void stop())
process.once('disconnect', () => process.exit())
process.send?.('started')
