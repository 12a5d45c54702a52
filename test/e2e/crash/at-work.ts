import { startRoles } from '../../../src/app/roles.ts'
import { openHome } from '../open-home.ts'

/*
 * Everything at work on a home, until it is killed. As `fonds start`, except that a killed one is missed sooner: its
 * partitions, its claims and its duties are free again after a second or three. Kills are no fault of the work: none is set aside.
 */
const [home] = process.argv.slice(2)
const system = await openHome(
  home!,
  { claimSeconds: 3, dutySeconds: 2, idleMinSeconds: 1, idleMaxSeconds: 1, maxDeaths: 1000 },
  { sessionMillis: 1000 },
)
await startRoles(system, ['processors', 'reactions', 'projections', 'workers'])
process.stderr.write('at work\n')
