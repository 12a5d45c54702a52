import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readAll } from '../contracts/content-store.ts'
import { openTestSystem } from '../fakes/system.ts'
import { serveFolder } from '../infra/content/http/serve-folder.ts'
import { threadsStarted } from '../workers/http/threads-started.ts'
import { temporaryFolder } from '../workers/indexing/temporary-folder.ts'

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

it('content of web servers is read in threads of its own, which start with a reading and end with the system', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.warc'), 'WARC/')
  const web = await serveFolder(folder)
  onTestFinished(() => web.close())
  const started = threadsStarted()
  const system = await openTestSystem()
  const { indexing, fixity } = system.adapters
  const stores = [indexing.openContent(web.address), fixity.openContent(web.address)]
  expect(started).toEqual([])
  for (const store of stores) expect(String(await readAll(store, 'a.warc'))).toBe('WARC/')
  // One after the other: the same thread.
  expect(started).toHaveLength(1)
  expect(started[0]!.threadId).toBeGreaterThan(0)
  await system.close()
  expect(started[0]!.threadId).toBe(-1)
})

it('the gateway opens without a token only where nobody signs in: there it asks for one', async () => {
  const system = await openTestSystem({ proxySecret: 'a secret of the proxy' })
  onTestFinished(() => system.close())
  await expect(system.openGateway(0)).rejects.toThrow(/^token: the gateway needs one/)
})
