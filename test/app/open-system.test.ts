import { expect, it, onTestFinished } from 'vitest'
import { openTestSystem } from '../fakes/system.ts'

it('reports and notices are mailed by one mailer', async () => {
  const system = await openTestSystem({ mailServer: 'smtp://127.0.0.1:1', mailFrom: 'archive@example.org' })
  onTestFinished(() => system.close())
  expect(system.mailer).toBeDefined()
  expect(system.adapters.ingest.mailer).toBe(system.mailer)
})

it('the gateway never opens the embedded file of a home whose log is on a server', async () => {
  const system = await openTestSystem({ eventStore: 'esdb://127.0.0.1:1?tls=false' })
  onTestFinished(() => system.close())
  await expect(system.openGateway(0)).rejects.toThrow('this one is on a server')
})
