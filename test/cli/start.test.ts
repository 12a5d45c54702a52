import { expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { openSystem } from '../../src/open-system.ts'
import type { Consumption } from '../../src/ports/broker.ts'
import { useFonds } from './fonds.ts'
import { rememberingStream } from './output/streams.ts'

const fonds = useFonds()

it('a start that waits for its broker ends when it is to stop', async () => {
  const [stdout, stderr] = [rememberingStream(), rememberingStream()]
  const { promise: waits, resolve: isWaiting } = Promise.withResolvers<void>()
  const running = runCli(['start', '--port', '0'], {
    openSystem: async (config) => {
      const system = await openSystem({ ...config, logLevel: 'silent' })
      const { promise: joined, reject: give } = Promise.withResolvers<Consumption>()
      const broker = Object.assign(Object.create(system.broker), {
        consume: () => {
          isWaiting()
          return joined
        },
        close: async () => {
          give(new Error('the broker is closed'))
          await system.broker.close()
        },
      })
      return { ...system, broker }
    },
    http: async () => (await import('#src/api/http.ts')).http,
    env: { FONDS_HOME: fonds.home },
    stdin: process.stdin,
    stdout,
    stderr,
  })
  await waits
  process.emit('SIGTERM')
  expect(await running).toBe(0)
  expect(stderr.text()).toContain('stopped before it was at work')
})
