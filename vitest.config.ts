import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.integration.test.ts'],
    testTimeout: 30_000,
    // All cores: much of the time is spent waiting for processes that the tests start.
    maxWorkers: '100%',
  },
})
