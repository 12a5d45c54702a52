import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../infra/local/kafka/free-port.ts'
import { frames, httpResponse, packed, warcRecord } from '../../packages/warc/test/make-warc.ts'
import { systemClock } from '../../src/async/system-clock.ts'
import { createRemoteFiles } from '../../src/workers/indexing/remote/remote-files.ts'
import { ask, run, until, useFolder } from '../e2e/run-fonds.ts'
import { nginxIsAbsent, useNginx } from './nginx.ts'

/* Archive files that lie on servers: a real one, and some that do not keep to their word. */

const anHourAgo = new Date(Date.now() - 3_600_000)
const records = Array.from({ length: 40 }, (_, i) =>
  warcRecord({ url: `http://example.com/${i}`, block: httpResponse({ body: randomBytes(100_000) }) }),
)
const files = {
  'one.warc.gz': packed(...records),
  'two.warc.zst': frames(records),
  'three.warc': Buffer.concat(records),
  'cut.warc.gz': packed(...records).subarray(0, -1000),
}

it.skipIf(nginxIsAbsent)('files that nginx serves have the lines that they have on a disk', async () => {
  const { folder, home } = useFolder()
  mkdirSync(join(folder, 'crawl'))
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(join(folder, 'crawl', name), bytes)
    utimesSync(join(folder, 'crawl', name), anHourAgo, anHourAgo)
  }
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const names = [...Object.keys(files), 'absent.warc.gz']
  const modifiedAt = anHourAgo.toISOString()
  const listed = names.map((name) => JSON.stringify({ location: `${address}/${name}`, modifiedAt }))
  writeFileSync(join(folder, 'crawl/list.txt'), listed.join('\n'))
  useNginx(port).start(`root ${join(folder, 'crawl')};`)
  await until(
    'nginx answers',
    async () => (await fetch(`${address}/list.txt`).catch(() => undefined))?.status === 200,
  )

  const linesOf = async (home: string, from: string) => {
    const given = { home }
    await ask(['indexing', 'add', from], given)
    await run(['indexing', 'run'], given)
    const captures = await ask(
      ['indexing', 'captures', 'example.com', '--match', 'domain', '--limit', '1000'],
      given,
    )
    const failed = await ask(['indexing', 'failed'], given)
    return { captures, failed: failed.map(({ name, code }) => [name, code]).sort() }
  }
  const remote = await linesOf(home, `${address}/list.txt`)
  const local = await linesOf(join(folder, 'other'), join(folder, 'crawl'))
  expect(remote.captures).toHaveLength(120)
  expect(remote.captures).toEqual(local.captures)
  expect(remote.failed).toEqual([['absent.warc.gz', 'not-found'], ...local.failed])
  expect(existsSync(join(home, 'index/.fetched'))).toBe(false)
  expect(await ask(['indexing', 'add', `${address}/list.txt`], { home })).toEqual([
    { listed: 5, news: 1, skipped: 0 },
  ])
})

const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\nETag: "1"\r\n\r\n'

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['never answers', () => {}, /tried 2 times/],
  ['closes', (socket) => void socket.destroy(), /broke off; tried 2 times/],
  ['speaks no HTTP', (socket) => void socket.end('hello\r\n\r\n'), /what is not HTTP/],
  [
    'sends a part, and then nothing',
    (socket) => void socket.write(`${whole}${'x'.repeat(1000)}`),
    /sent nothing, or next to nothing, for 1 s; tried 2 times/,
  ],
  [
    'sends half, and closes',
    (socket) => void socket.end(`${whole}${'x'.repeat(500_000)}`),
    /broke off.*; tried 2 times/,
  ],
])(
  'a server that %s fails the file after finite tries, as one that cannot be read',
  async (_, answer, says) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { folder } = useFolder()
    const remote = createRemoteFiles({
      folder: join(folder, 'fetched'),
      hosts: undefined,
      stallMillis: 1000,
      clock: systemClock,
      tries: 2,
    })
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await remote.close()
    })
    const hold = { signal: new AbortController().signal, progress: () => {} }
    const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.warc`
    const look = await remote.stat({ location }, hold)
    const read = E.isLeft(look)
      ? look.left
      : await remote.withCopy(look.right, hold, async () => expect.fail('it came whole'))
    expect(read).toMatchObject({ status: 'failed', code: 'unreadable', reason: expect.stringMatching(says) })
  },
)
