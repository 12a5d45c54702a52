import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openCaptureIndex } from '../infra/capture-index/capture-index.ts'
import { nodeFlags } from './node-flags.ts'
import { printTable } from './table.ts'

/*
 * 64 clients ask `fonds start --roles api` for captures, each over a connection of its own, the next question when the last is answered;
 * beside a server that gives the same number of bytes and looks for nothing, and beside pywb's CDX server over the same lines, where
 * FONDS_PYWB names its `wayback`. Arguments: number of lines (400000), seconds a measure (4).
 */

const lineCount = Number(process.argv[2] ?? 400_000)
const measureSeconds = Number(process.argv[3] ?? 4)
const clients = 64
const hotLines = lineCount / 4
const hotKey = 'com,example)/'

const digits = (i: number): string =>
  new Date(Date.UTC(2005, 0, 1) + i * 600_000).toISOString().replace(/\D/g, '').slice(0, 14)
const path = (i: number) => `section-${i % 97}/pages/${Math.imul(i, 2_654_435_761) >>> 0}.html`
const lineAt = (i: number): string =>
  i < hotLines
    ? `${hotKey} ${digits(i)} http://example.com/ text/html 200 2WAXX5NUWNNCS2BDKCO5OVDQBJVNKIVV - - 4211 ${i * 4211} CRAWL-${i % 20}.warc.gz\n`
    : `com,site-${i % 9973})/${path(i)} ${digits(i)} http://site-${i % 9973}.com/${path(i)} text/html 200 2WAXX5NUWNNCS2BDKCO5OVDQBJVNKIVV - - 4211 ${i * 4211} CRAWL-${i % 20}.warc.gz\n`
const urlOf = (n: number) => {
  const i = hotLines + ((Math.imul(n, 2_654_435_761) >>> 0) % (lineCount - hotLines))
  return `http://site-${i % 9973}.com/${path(i)}`
}

const folder = mkdtempSync(join(tmpdir(), 'fonds-bench-cdx-'))
const children: ChildProcess[] = []

/** Resolves with the address that it prints. */
const started = (
  command: string,
  args: readonly string[],
  description: RegExp,
  env: NodeJS.ProcessEnv = {},
) =>
  new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(child)
    let said = ''
    const read = (bytes: Buffer) => {
      said += bytes
      const port = description.exec(said)?.[1]
      if (port !== undefined) resolve(Number(port))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', () => reject(new Error(`${command} ended: ${said}`)))
  })

interface Measure {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

/** Each client asks one thing after the other; `check` looks at every body. */
const measured = async (
  port: number,
  targetOf: (n: number) => string,
  check: (body: string) => boolean,
): Promise<Measure> => {
  const times: number[] = []
  let asked = 0
  const warmUntil = performance.now() + 1000
  const until = warmUntil + measureSeconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = await connected(port)
      for (;;) {
        const start = performance.now()
        if (start > until) break
        const target = targetOf(asked++)
        const body = await client.get(target)
        if (!check(body)) throw new Error(`${target} was answered with ${JSON.stringify(body.slice(0, 300))}`)
        if (start > warmUntil) times.push(performance.now() - start)
      }
      client.end()
    }),
  )
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / measureSeconds,
    p50: times[times.length >> 1] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  }
}

/** HTTP/1.1 over one connection, so that the clients cost little. */
const connected = (port: number) =>
  new Promise<{ get: (target: string) => Promise<string>; end: () => void }>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    let received = ''
    let answer: ((body: string) => void) | undefined
    let fail: (error: Error) => void = reject
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      received += text
      const head = received.indexOf('\r\n\r\n')
      if (head === -1) return
      const length = /content-length: (\d+)/i.exec(received.slice(0, head))?.[1]
      const isWhole =
        length === undefined
          ? received.endsWith('\r\n0\r\n\r\n') || /^HTTP\/1\.0/.test(received)
          : received.length >= head + 4 + Number(length)
      if (!isWhole) return
      const body = received.slice(head + 4)
      const status = received.slice(9, 12)
      received = ''
      if (status === '200') answer?.(body)
      else fail(new Error(`${status}: ${body}`))
    })
    socket.once('error', (error) => fail(error))
    socket.once('connect', () =>
      resolve({
        get: (target) =>
          new Promise((done, wrong) => {
            answer = done
            fail = wrong
            socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
          }),
        end: () => socket.destroy(),
      }),
    )
  })

try {
  const home = join(folder, 'home')
  mkdirSync(home)
  const index = openCaptureIndex(join(home, 'index', 'runs'))
  const all = Array.from({ length: lineCount }, (_, i) => lineAt(i))
  const runs = 8
  for (let run = 0; run < runs; run++) {
    const written = await index.write([all.filter((_, i) => i % runs === run).join('')])
    await index.change([{ kind: 'publish', file: `main/${run}`, run: written, position: BigInt(run + 1) }])
  }
  await index.close()

  const node = process.execPath
  const port = await started(
    node,
    [...nodeFlags, join(import.meta.dirname, '../src/main.ts'), 'start', '--roles', 'api', '--port', '0'],
    /127\.0\.0\.1:(\d+)/,
    { FONDS_HOME: home, FONDS_LOG_LEVEL: 'warn' },
  )
  const bare = `require('node:http').createServer((request, response) => response.end('x'.repeat(190))).listen(0, '127.0.0.1', function () { console.log('127.0.0.1:' + this.address().port) })`
  const barePort = await started(node, ['-e', bare], /127\.0\.0\.1:(\d+)/)

  const exact = (n: number) => `/cdx?url=${encodeURIComponent(urlOf(n))}`
  const isOne = (body: string) => body.startsWith('com,site-') && body.indexOf('\n') === body.length - 1
  const ours = await measured(port, exact, isOne)
  const nothing = await measured(barePort, exact, (body) => body.length === 190)
  const closest = await measured(
    port,
    (n) => `/cdx?url=http://example.com/&sort=closest&closest=${digits((n * 7919) % hotLines)}&limit=1`,
    (body) => body.startsWith(hotKey) && body.indexOf('\n') === body.length - 1,
  )
  const pywb = await measured(
    port,
    (n) => `/cdx?url=${encodeURIComponent(urlOf(n))}&closest=20100101000000&sort=closest&limit=100`,
    isOne,
  )

  let theirs: Measure | undefined
  const wayback = process.env.FONDS_PYWB
  if (wayback) {
    const lines = join(folder, 'index.cdx')
    writeFileSync(lines, Buffer.concat(all.map((line) => Buffer.from(line)).sort(Buffer.compare)))
    // YAML holds JSON.
    const collections = { bench: { index_paths: lines, archive_paths: folder } }
    writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ collections }))
    const pywbPort = 20_000 + (process.pid % 20_000)
    children.push(
      spawn(wayback, ['-b', '127.0.0.1', '-p', String(pywbPort), '-d', folder], { stdio: 'ignore' }),
    )
    const answers = () =>
      fetch(`http://127.0.0.1:${pywbPort}`).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await answers())) await setTimeout(100)
    theirs = await measured(
      pywbPort,
      (n) => `/bench/cdx?url=${encodeURIComponent(urlOf(n))}`,
      (body) => body.includes('com,site-'),
    )
  }

  printTable(`${clients} clients, ${lineCount.toLocaleString('en')} lines`, [
    { what: 'exact', ours: ours.perSecond, beside: '3,000 wanted', theirs: 3000, unit: '/s', promise: 1 },
    {
      what: 'exact',
      ours: ours.perSecond,
      beside: 'node:http, same bytes',
      theirs: nothing.perSecond,
      unit: '/s',
    },
    { what: 'as pywb asks', ours: pywb.perSecond, beside: 'exact', theirs: ours.perSecond, unit: '/s' },
    { what: 'closest of many', ours: closest.perSecond, beside: 'exact', theirs: ours.perSecond, unit: '/s' },
    ...(theirs
      ? [{ what: 'exact', ours: ours.perSecond, beside: 'pywb', theirs: theirs.perSecond, unit: '/s' }]
      : []),
  ])
  console.log(
    `p50 and p99: exact ${ours.p50.toFixed(1)} and ${ours.p99.toFixed(1)} ms, closest ${closest.p50.toFixed(1)} and ${closest.p99.toFixed(1)} ms`,
  )
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
}
