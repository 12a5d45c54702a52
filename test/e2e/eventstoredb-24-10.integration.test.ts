import { expect, it, onTestFinished } from 'vitest'
import { as2410 } from '../infra/event-store/eventstoredb/as-24-10.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { ask, startServer, stop, until, useFolder } from './run-fonds.ts'

it('a node on an empty EventStoreDB 24.10 becomes ready, and folds what comes', async () => {
  const served = await serve()
  const server = await as2410(served.port)
  onTestFinished(async () => {
    server.close()
    await served.dispose()
  })
  const given = { home: useFolder().home, env: { FONDS_EVENT_STORE: server.address } }
  const node = await startServer(given)
  await until('ready', async () => (await fetch(`${node.address}/readyz`)).status === 200)
  const command = ['fixity.register-store', 'store=far', 'kind=external']
  await ask(['do', ...command, '--actor', 'me', '--reason', 'test'], given)
  const stores = await until('the view has it', async () => {
    const rows = await ask(['query', 'fixity-stores'], given)
    return rows.length > 0 && rows
  })
  expect(stores).toMatchObject([{ store: 'far' }])
  expect(node.stderr()).not.toMatch(/too large/)
  expect(await stop(node)).toBe(0)
})
