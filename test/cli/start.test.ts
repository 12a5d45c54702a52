import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCli } from '../../src/cli/program.ts'
import { openSystem } from '../../src/open-system.ts'
import type { Consumption } from '../../src/ports/broker.ts'
import { useFonds } from './fonds.ts'
import { rememberingStream } from './output/streams.ts'

const fonds = useFonds()

it('a start that waits for its broker ends when it is to stop, and from then on has nothing in hand that counts', async () => {
  const [stdout, stderr] = [rememberingStream(), rememberingStream()]
  const { promise: waits, resolve: isWaiting } = Promise.withResolvers<void>()
  let handsWhileStopping: readonly string[] | undefined
  const running = runCli(['start', '--port', '0'], {
    openSystem: async (config) => {
      const system = await openSystem({ ...config, logLevel: 'silent' })
      const { promise: joined, reject: give } = Promise.withResolvers<Consumption>()
      system.workInProgress.take('message', '0-0')
      const broker = Object.assign(Object.create(system.broker), {
        consume: () => {
          isWaiting()
          return joined
        },
        close: async () => {
          give(new Error('the broker is closed'))
          await system.broker.close()
          handsWhileStopping ??= workFilesIn(join(config.home, 'locks'))
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
  expect(workFilesIn(join(fonds.home, 'locks'))).toHaveLength('linux' === process.platform ? 1 : 0)
  process.emit('SIGTERM')
  expect(await running).toBe(0)
  expect(stderr.text()).toContain('stopped before it was running')
  expect(handsWhileStopping).toEqual([])
})

const workFilesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.hand'))
