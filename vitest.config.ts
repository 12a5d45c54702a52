import { defineConfig } from 'vitest/config'

const minutes = 60_000

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.integration.test.ts'],
    // Limits end what hangs. No test fails for being slow: other work may have the machine.
    testTimeout: 5 * minutes,
    hookTimeout: 5 * minutes,
    // All cores: much of the time is spent waiting for processes that the tests start.
    maxWorkers: '100%',
  },
})
