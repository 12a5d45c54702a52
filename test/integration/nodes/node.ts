import { startRoles } from '../../../src/app/roles.ts'
import { openHome } from '../../e2e/open-home.ts'

/*
 * A node on servers, until it is killed or asked to stop. As `fonds start`, except that a killed one is missed sooner.
 * Arguments: the home, settings as JSON, roles with commas between, the session in milliseconds: Kafka's own settings allow none below 6,000.
 */
const [home, settings = '{}', roles = 'processors,reactions,projections', sessionMillis = '6000'] =
  process.argv.slice(2)
const system = await openHome(home!, JSON.parse(settings), { sessionMillis: Number(sessionMillis) })
const running = await startRoles(system, roles.split(',') as Parameters<typeof startRoles>[1])
process.stderr.write('at work\n')
// Nobody is left who would end it: the test was killed.
const parent = process.ppid
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref()
process.once('SIGTERM', async () => {
  await running.stop()
  await system.close()
  process.stderr.write(`resident ${process.memoryUsage().rss}\n`)
  process.exit(0)
})
