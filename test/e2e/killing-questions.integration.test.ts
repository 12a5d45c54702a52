import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { limits } from '../patience.ts'
import { startServer, stop, until, useFolder } from './run-fonds.ts'
import { run } from './run-here.ts'

/* A question that kills its process. */

const bug = `--import=${pathToFileURL(join(import.meta.dirname, 'kill-on-question.mjs'))}`
const env = { NODE_OPTIONS: bug }
const deadly = '/api/v1/fixity/item?store=main&path=kills'
const harmless = '/api/v1/fixity/item?store=main&path=other'

it('is refused when three processes have died of it, until a person has cleared it', limits, async () => {
  const { home } = useFolder()
  for (let death = 1; death <= 3; death++) {
    const server = await startServer({ home, env })
    const ready = async (path: string) => (await fetch(server.address + path)).status
    await until('it answers others', async () => (await ready(harmless)) === 404)
    await expect(ready(deadly)).rejects.toThrow()
    await server.exit
    expect(server.child.signalCode).toBe('SIGKILL')
  }
  const server = await startServer({ home, env })
  const asked = await fetch(server.address + deadly)
  expect(asked.status).toBe(422)
  expect(await asked.json()).toMatchObject({
    code: 'kills-process',
    detail: expect.stringMatching(
      /^2 processes in a row died while they answered it; .*`fonds doctor` says how$/,
    ),
  })
  await until('it answers others', async () => (await fetch(server.address + harmless)).status === 404)
  const said = (await run(['doctor'], { home })).stdout
  expect(said).toMatch(/a question is not answered any more \(GET \/api\/v1\/fixity\/item\?store=&path= \(/)
  expect(await stop(server), server.stderr()).toBe(0)

  const mended = await startServer({ home })
  expect((await fetch(mended.address + deadly)).status).toBe(422)
  for (const file of /`rm (.*?)`/.exec(said)![1]!.split(' ')) rmSync(file)
  await until('it is answered', async () => (await fetch(mended.address + deadly)).status === 404)
  expect(await stop(mended), mended.stderr()).toBe(0)
})
