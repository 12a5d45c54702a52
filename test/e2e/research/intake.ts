import { startRoles } from '../../../src/app/roles.ts'
import { openHome } from '../open-home.ts'

/* One that takes in what is on the topics, until it is killed. Silent for a second, it has lost its partitions. */
const [home] = process.argv.slice(2)
const system = await openHome(home!, {}, { sessionMillis: 1000 })
await startRoles(system, ['processors'])
process.stderr.write('at work\n')
