import { defineConfig } from 'vitest/config'
import { limits } from './test/patience.ts'

/** The suites on every server that can be had: the embedded ones always. */
export default defineConfig({
  test: {
    globalSetup: 'test/integration/setup.ts',
    include: [
      'test/integration/**/*.integration.test.ts',
      'test/infra/**/contract.test.ts',
      'test/infra/event-store/**/*.test.ts',
    ],
    // kafkajs sets timers in the past; Node would say so in the midst of the results.
    execArgv: ['--disable-warning=TimeoutNegativeWarning'],
    setupFiles: 'test/setup.ts',
    testTimeout: 2 * limits.timeout,
    hookTimeout: 2 * limits.timeout,
    fileParallelism: false,
  },
})
