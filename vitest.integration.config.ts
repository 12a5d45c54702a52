import { defineConfig } from 'vitest/config'
import { compileCache } from './test/compile-cache.ts'
import { limits } from './test/patience.ts'

compileCache()

const patient = {
  setupFiles: 'test/setup.ts',
  testTimeout: 2 * limits.timeout,
  hookTimeout: 2 * limits.timeout,
}

/** What waits in real time, kills, and runs many processes; and what runs on real servers, as far as they can be had. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...patient,
          name: 'processes',
          include: ['test/**/*.integration.test.ts'],
          exclude: ['test/integration/**'],
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
          fileParallelism: false,
          // Behind the processes: a server is a process, too.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
