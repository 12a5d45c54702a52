import { expect, it, onTestFinished } from 'vitest'
import { createApi, listen } from '../../src/api/create-api.ts'
import { openTestSystem } from '../fakes/system.ts'

it.each(['0.0.0.0', '::', 'localhost', '127.0.0.1'])(
  'on %s, the address that is told opens',
  async (host) => {
    const system = await openTestSystem({})
    const app = await createApi(system)
    onTestFinished(async () => {
      await app.close()
      await system.close()
    })
    const address = await listen(app, { host, port: 0 })
    expect(address).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
  },
)
