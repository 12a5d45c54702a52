import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { limits } from '../patience.ts'
import { type Line, start, startServer, stop, until, useFolder } from './run-fonds.ts'
import { ask, run } from './run-here.ts'

/* A message that kills its process. */

const bug = `--import=${pathToFileURL(join(import.meta.dirname, 'kill-on-message.mjs'))}`
const env = { FONDS_PARTITIONS: '1' }
const topic = 'fonds.fixity.content'
const checksums = [{ algorithm: 'md5', value: 'a'.repeat(32) }]
const recorded = (path: string) =>
  `${JSON.stringify({ type: 'content.recorded', data: { store: 'main', path, checksums } })}\n`

const killed = async (home: string) => {
  const { child, exit } = start(['start', '--port', '0'], { home, env: { ...env, NODE_OPTIONS: bug } })
  await exit
  expect(child.signalCode).toBe('SIGKILL')
}

it(
  'is found among those in hand and set aside; the others go on, and a person puts it back',
  limits,
  async () => {
    const { home } = useFolder()
    const stdin = ['one', 'two', 'kills', 'three', 'four'].map(recorded).join('')
    await ask(['produce', topic], { home, env, stdin })
    const paths = async () =>
      (await ask(['query', 'fixity-items', '--columns', 'path'], { home })).map(({ path }: Line) => path)

    // Once among the others, then three times by itself.
    for (let death = 1; death <= 4; death++) await killed(home)
    const server = await startServer({ home, env: { ...env, NODE_OPTIONS: bug } })
    await until('the others are handled', async () => (await paths()).length === 4)
    expect(await paths()).toEqual(['four', 'one', 'three', 'two'])
    expect(server.stderr()).toMatch(
      /"from":"0","to":"4","msg":"a process died while it handled these messages/,
    )
    expect(server.stderr()).toMatch(
      /"reason":"kills-process","msg":"3 processes in a row died while they handled it/,
    )
    const [letter] = await until('its letter is shown', async () => {
      const letters = await ask(['dead-letters', 'list'], { home })
      return letters.length > 0 && letters
    })
    expect(letter).toMatchObject({ reason: 'kills-process', offset: '2', status: 'waiting' })
    expect((await run(['doctor'], { home })).stdout).toContain('1 message could not be used')
    expect(await stop(server), server.stderr()).toBe(0)

    const mended = await startServer({ home, env })
    await ask(['dead-letters', 'retry', letter!.id, '--actor', 'ada', '--reason', 'mended'], { home })
    await until('it is handled', async () => (await paths()).includes('kills'))
    expect(await stop(mended), mended.stderr()).toBe(0)
  },
)
