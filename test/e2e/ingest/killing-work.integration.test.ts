import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start, startServer, stop, until, useFolder } from '../run-fonds.ts'
import { ask } from '../run-here.ts'

/* X22: work that kills its process. The stand-in for it is a tool that kills who asks it about a certain file. */

const tool = `${process.execPath} ${join(import.meta.dirname, 'kill-parent.mjs')}`
const env = {
  FONDS_INGEST_CHARACTERISE: tool,
  FONDS_IDLE_MIN_SECONDS: '1',
  FONDS_IDLE_MAX_SECONDS: '1',
}

it('fails after three processes in a row, with the reason; the others go on', async () => {
  const { home, root } = useFolder()
  const submit = (name: string, text: string) => {
    const file = join(root, name)
    writeFileSync(file, text)
    return ask(['ingest', 'submit', file], { home })
  }
  await submit('one.txt', 'kill')
  await submit('two.txt', 'fine')
  const jobs = () => ask(['query', 'ingest-jobs', '--format', 'ndjson'], { home })

  for (let death = 1; death <= 3; death++) {
    const { child, exit } = start(['start', '--port', '0'], { home, env })
    await exit
    expect(child.signalCode).toBe('SIGKILL')
  }
  const server = await startServer({ home, env })
  let rows: Awaited<ReturnType<typeof jobs>> = []
  const [one, two] = await until('both jobs have come to their end', async () => {
    rows = await jobs()
    if (rows.length < 2 || !rows.every(({ state }) => state === 'failed' || state === 'completed')) return
    // Two submissions are two partitions: either may become the first job.
    return ['one.txt', 'two.txt'].map((name) => rows.find(({ title }) => title === name))
  }).catch((cause: unknown) => {
    throw new Error(JSON.stringify({ rows, log: server.stderr() }, null, 2), { cause })
  })
  expect(one).toMatchObject({
    state: 'failed',
    failedIn: 'processing',
    permanent: 0,
    message: expect.stringMatching(
      /^3 processes in a row that worked on it died in this step; the last: the process of ingest@.* ended/,
    ),
  })
  expect(two).toMatchObject({ state: 'completed' })
  expect(await stop(server), server.stderr()).toBe(0)
})
