import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start, stop, until, useFolder } from '../run-fonds.ts'
import { ask } from '../run-here.ts'

/* X22: work that kills its process. The stand-in for it is a tool that kills who asks it about a certain file. */

const tool = `${process.execPath} ${join(import.meta.dirname, 'kill-parent.mjs')}`
const env = {
  FONDS_INGEST_CHARACTERISE: tool,
  FONDS_IDLE_MIN_SECONDS: '1',
  FONDS_IDLE_MAX_SECONDS: '1',
}

it('fails after three processes in a row, with the reason; none that was in hand with it does', async () => {
  const { home, root } = useFolder()
  const submit = (name: string, text: string) => {
    const file = join(root, name)
    writeFileSync(file, text)
    return ask(['ingest', 'submit', file], { home })
  }
  await submit('one.txt', 'kill')
  const fine = ['two.txt', 'three.txt', 'four.txt', 'five.txt']
  for (const name of fine) await submit(name, 'fine')
  const jobs = () => ask(['query', 'ingest-jobs', '--format', 'ndjson'], { home })

  /** A server, until it is killed or all jobs have ended. */
  const serve = async () => {
    const server = start(['start', '--port', '0'], { home, env })
    let isKilled = false
    void server.exit.then(() => {
      isKilled = true
    })
    let rows: Awaited<ReturnType<typeof jobs>> = []
    const isOver = async () => {
      if (isKilled) return true
      rows = await jobs()
      return rows.length === 5 && rows.every(({ state }) => state === 'failed' || state === 'completed')
    }
    await until('all jobs have come to their end', isOver).catch((cause: unknown) => {
      throw new Error(JSON.stringify({ rows, log: server.stderr() }, null, 2), { cause })
    })
    return { server, isKilled, rows }
  }

  let deaths = 0
  let { server, isKilled, rows } = await serve()
  for (; isKilled && deaths < 4; { server, isKilled, rows } = await serve()) {
    expect(server.child.signalCode).toBe('SIGKILL')
    deaths += 1
  }
  // The first process may have died before the end of the step before was in the log: then it counts there.
  expect(deaths).toBeOneOf([3, 4])
  const titled = (name: string) => rows.find(({ title }) => title === name)
  expect(titled('one.txt')).toMatchObject({
    state: 'failed',
    failedIn: 'processing',
    permanent: 0,
    message: expect.stringMatching(
      /^3 processes in a row that worked on it died in this step; the last: the process of ingest@.* ended/,
    ),
  })
  for (const name of fine) expect(titled(name)).toMatchObject({ state: 'completed' })
  expect(await stop(server), server.stderr()).toBe(0)
})
