import { defineConfig } from 'vitest/config'
import { limits } from './test/patience.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.integration.test.ts'],
    setupFiles: 'test/setup.ts',
    testTimeout: limits.timeout,
    hookTimeout: limits.timeout,
    // All cores: much of the time is spent waiting for processes that the tests start.
    maxWorkers: '100%',
  },
})
