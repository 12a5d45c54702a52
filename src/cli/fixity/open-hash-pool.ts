import { workerSettings } from '../../app/roles.ts'
import type { System } from '../../app/system.ts'
import { createHashPool, type HashPool } from '../../workers/fixity/hash-pool.ts'
import { throttleTo } from '../../workers/fixity/throttle.ts'

/** A pool with the threads and the rate that workers here have; to be closed. */
export const openHashPool = (system: System): HashPool => {
  const { contentStoreModule, contentSettings } = system.adapters.fixity
  return createHashPool({
    threads: workerSettings(system).threads,
    contentStoreModule,
    contentSettings,
    throttle: throttleTo(system.config.bytesPerSecond),
  })
}
