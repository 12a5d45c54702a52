import { setTimeout } from 'node:timers/promises'
import type { Adapters } from '#src/workflows/adapters.ts'
import { startRoles } from '../../../src/app/roles.ts'
import type { System } from '../../../src/app/system.ts'
import { versions } from '../../../src/domain/ingest/views.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { openHome } from '../../e2e/open-home.ts'

/*
 * Everything at work on a home, until it is killed or asked to stop, with a slow minter, slow storage and a slow view of
 * versions: a step of some milliseconds shows in the log only together with the next. Arguments: the home, settings as JSON,
 * the session in milliseconds. Kills are no fault of the work: none is set aside for them.
 */
const [home, settings = '{}', sessionMillis] = process.argv.slice(2)
const slowMillis = 120

/** A version is shown some time after it was first asked for. */
const slowedViews = (viewStore: ViewStore): ViewStore => {
  const askedAt = new Map<string, number>()
  return {
    ...viewStore,
    query: (view, query, generation) => {
      if (view === versions.name && query.where !== undefined) {
        const asked = JSON.stringify(query.where)
        const since = askedAt.get(asked) ?? performance.now()
        askedAt.set(asked, since)
        if (performance.now() - since < slowMillis) return []
      }
      return viewStore.query(view, query, generation)
    },
  }
}

const slowed = (system: System): System => ({
  ...system,
  viewStore: slowedViews(system.viewStore),
  adapters: { ...system.adapters, ingest: slowedIngest(system.adapters.ingest) },
})

const slowedIngest = ({ minter, objectStore, ...others }: Adapters['ingest']): Adapters['ingest'] => ({
  ...others,
  minter: {
    ...minter,
    register: (...asked) => {
      const register = minter.register(...asked)
      return () => setTimeout(slowMillis).then(register)
    },
  },
  objectStore: async () => {
    const store = await objectStore()
    return {
      ...store,
      write: (...asked) => {
        const write = store.write(...asked)
        return () => setTimeout(slowMillis).then(write)
      },
    }
  },
})

const system = await openHome(
  home!,
  { maxDeaths: 1000, ...JSON.parse(settings) },
  { sessionMillis: Number(sessionMillis) },
)
const running = await startRoles(slowed(system), ['processors', 'reactions', 'projections', 'workers'])
process.stderr.write('at work\n')
process.once('SIGTERM', async () => {
  await running.stop()
  await system.close()
  process.exit(0)
})
