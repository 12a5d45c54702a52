import { defineConfig } from 'vitest/config'

/** Contract and end-to-end suites against whatever servers can be had; see test/integration/servers.ts. */
export default defineConfig({
  test: {
    include: ['test/integration/**/*.integration.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
