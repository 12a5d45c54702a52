import { defineConfig } from 'vitest/config'
import { compileCache } from './test/compile-cache.ts'
import { limits, patience } from './test/patience.ts'
import { temporaryFolderInMemory } from './test/temporary-folder.ts'
import { wholeSystems } from './test/whole-systems.ts'

compileCache()
Object.assign(process.env, temporaryFolderInMemory())

const common = {
  exclude: ['**/*.integration.test.ts'],
  setupFiles: 'test/setup.ts',
  testTimeout: limits.timeout,
  expect: { poll: { timeout: patience } },
  hookTimeout: limits.timeout,
}

/** Of these each has a process of its own: what they look at is the process's. */
const alone = [
  // The tracer.
  'test/app/tracing.test.ts',
  // Locks on files.
  'test/infra/sqlite/process-lock.test.ts',
  // Memory.
  'test/infra/event-store/recent-events-memory.test.ts',
  // The numbers of clips.
  'test/domain/research/clip-set.test.ts',
  'test/domain/research/episode/reporting.test.ts',
]

export default defineConfig({
  test: {
    // All cores: much of the time is spent waiting for processes that the tests start.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [...common.exclude, ...alone, ...wholeSystems],
          // The files share the processes: to start one for each, and to load all anew, took a third of the time. So no test mocks a
          // module, and each puts back what it changes of its process.
          isolate: false,
        },
      },
      { test: { ...common, name: 'alone', include: alone } },
      // `npm test` leaves them out, and the integration suite has them.
      { test: { ...common, name: 'systems', include: wholeSystems, isolate: false } },
    ],
  },
})
