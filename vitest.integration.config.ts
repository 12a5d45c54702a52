import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { compileCache } from './test/compile-cache.ts'
import { FileOrder } from './test/integration/file-order.ts'
import { limits, patience } from './test/patience.ts'
import { propertyTests } from './test/property-tests.ts'
import { largeTemporaryFolderInMemory } from './test/temporary-folder.ts'
import { wholeSystems } from './test/whole-systems.ts'

compileCache()

// Whoever says how many rounds of kills there are knows that they take long; the waits within them have limits of their own.
const testTimeout = process.env.FONDS_TEST_ROUNDS === undefined ? 2 * limits.timeout : 0

const patient = {
  setupFiles: 'test/setup.ts',
  testTimeout,
  expect: { poll: { timeout: patience } },
  hookTimeout: 2 * limits.timeout,
  provide: { allRuns: true },
  // A process that is killed loses nothing that it wrote, on a disk as in memory; faults of disks are made by fakes and limits.
  env: largeTemporaryFolderInMemory(),
}

/** As vitest.config.ts has them: the files share the processes. */
const shared = { ...patient, isolate: false }

/**
 * What waits in real time, kills, and runs many processes; what runs on real servers, as far as they can be had; whole systems that
 * are opened again and again; and the properties of the unit tests, with all of their runs.
 */
export default defineConfig({
  test: {
    // Two more than there are cores: many files wait, for a session to run out or for a process to start.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          ...patient,
          name: 'processes',
          include: ['test/**/*.integration.test.ts', 'packages/*/test/**/*.integration.test.ts'],
          exclude: ['test/integration/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'properties',
          include: propertyTests(),
          exclude: [...configDefaults.exclude, ...wholeSystems],
        },
      },
      {
        test: {
          ...shared,
          name: 'systems',
          include: wholeSystems,
          exclude: [...configDefaults.exclude, '**/*.integration.test.ts'],
        },
      },
      {
        test: {
          ...patient,
          name: 'servers',
          globalSetup: 'test/integration/setup.ts',
          include: ['test/integration/**/*.integration.test.ts'],
          // kafkajs sets timers in the past; Node would say so in the midst of the results.
          execArgv: ['--disable-warning=TimeoutNegativeWarning'],
        },
      },
    ],
  },
})
