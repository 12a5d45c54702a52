import { expect, it, onTestFinished } from 'vitest'
import { versions } from '../fixtures/eventstoredb-record.ts'
import { serve } from '../infra/event-store/eventstoredb/gateway.ts'
import { asRecorded } from '../infra/event-store/eventstoredb/recorded/server.ts'
import { ask, startServer, stop, until, useFolder } from './run-fonds.ts'

it.each(versions)(
  'a node on an empty EventStoreDB %s becomes ready, and folds what comes',
  async (version) => {
    const served = await serve()
    const server = await asRecorded(served.port, version)
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

    // From a place that is nobody's: what comes behind it, on the command line and over HTTP.
    const all = await ask(['events', '--category', 'fixityStore'], given)
    expect(all.length).toBeGreaterThan(0)
    expect(await ask(['events', '--category', 'fixityStore', '--from', '7'], given)).toEqual(all)
    const found = await fetch(`${node.address}/api/v1/events?from=7&category=fixityStore`)
    expect([found.status, await found.json()]).toMatchObject([200, { events: all }])

    expect(node.stderr()).not.toMatch(/too large|did not answer|broke|dropped/)
    expect(await stop(node)).toBe(0)
  },
)
