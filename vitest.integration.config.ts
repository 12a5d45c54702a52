import { defineConfig } from 'vitest/config'

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
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
