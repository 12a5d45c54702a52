import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import { MediaFailure, type Recordings } from '#src/workers/research/recording.ts'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { patience } from '../../../patience.ts'
import { runs } from '../../../runs.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'

/** More than sockets and streams hold: whoever sends it is done before it was read. */
const sound = wav(8000, [tone(8000, 120, 440)])

let folder: string
let server: Server
let answer: (socket: Socket) => void
let recordings: Recordings
const sockets = new Set<Socket>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fonds-bad-servers-'))
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  recordings = patientFor(patience)
})
afterEach(async () => {
  await recordings.close()
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((resolve) => server.close(resolve))
  await rm(folder, { recursive: true, force: true })
})

/** A busy machine may take its time to decode, too. */
const patientFor = (stallMillis: number): Recordings => {
  const clock = { ...systemClock, sleep: async () => {} }
  return createRecordings({
    ...{ folder, clock, openBucket: noBuckets },
    ...{ tries: 2, stallMillis, maxBytes: 4_000_000 },
  })
}

const start = (stallMillis: number) => {
  const clock = { ...systemClock, sleep: async () => {} }
  recordings = createRecordings({
    ...{ folder, clock, openBucket: noBuckets },
    ...{ tries: 2, stallMillis, maxBytes: 4_000_000 },
  })
}

const uri = (query = '') => `http://127.0.0.1:${(server.address() as AddressInfo).port}/sound.wav${query}`

/** `sound`, how much of it and how many seconds are reported as undecoded, or the failure without the address. */
const outcome = async (query?: string): Promise<string> => {
  const address = uri(query)
  try {
    const { samples, gaps } = await recordings.open(
      { uri: address, type: 'audio/wav' },
      { signal: new AbortController().signal, progress: () => {} },
    )
    const undecoded = gaps ? `, ${Math.round(gaps.duration / 1e9)} s undecoded` : ''
    return samples === 8000 * 120 ? `sound${undecoded}` : `${samples} samples${undecoded}`
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error
    expect(error.message.startsWith(`${address} `)).toBe(true)
    return `${error.stage}: ${error.message.slice(address.length + 1)}`
  }
}

const head = (...lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`
const length = (bytes: number) => `Content-Length: ${bytes}`
/** Writes on until the other side closes. */
const endlessly =
  (begin: string, more: string) =>
  (socket: Socket): void => {
    socket.write(begin)
    const go = () => {
      while (!socket.destroyed && socket.write(more));
    }
    socket.on('drain', go)
    go()
  }
const send =
  (...parts: readonly (string | Buffer)[]) =>
  (socket: Socket): void => {
    for (const part of parts) socket.write(part)
    socket.end()
  }
const ok = 'HTTP/1.1 200 OK'
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

describe('a server that keeps to no promise costs at most its own download', () => {
  test.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'closes after its body, as HTTP/1.0 does',
      send(head('HTTP/1.0 200 OK', length(sound.length)), sound),
      /^sound$/,
    ],
    ['closes where its body ends, with no length said', send(head('HTTP/1.0 200 OK'), sound), /^sound$/],
    [
      'closes with its last chunk',
      send(head(ok, length(sound.length), 'Connection: close'), sound),
      /^sound$/,
    ],
    ['closes at once', (socket) => socket.end(), /^download: broke off; tried 2 times/],
    ['closes within its headers', send(`${ok}\r\nContent-`), /^download: broke off; tried 2 times/],
    [
      'resets within its body',
      (socket) => {
        socket.write(head(ok, length(sound.length)))
        socket.write(sound.subarray(0, 1000), () => socket.resetAndDestroy())
      },
      /^download: broke off; tried 2 times/,
    ],
    [
      'sends less than it says',
      send(head(ok, length(sound.length + 1)), sound),
      /^download: broke off.*; tried 2 times/,
    ],
    [
      'sends more than it says',
      send(head(ok, length(100_000), 'Connection: close'), sound),
      /^49978 samples, 114 s undecoded$/,
    ],
    [
      'says two lengths',
      send(head(ok, length(5), length(6)), 'RIFFx'),
      /^download: (broke off|answered in what is not HTTP)/,
    ],
    [
      'ends within a chunk',
      send(head(ok, 'Transfer-Encoding: chunked'), chunk(sound).subarray(0, 5000)),
      /^download: (broke off|answered in what is not HTTP).*; tried 2 times/,
    ],
    [
      'counts its chunks wrongly',
      send(head(ok, 'Transfer-Encoding: chunked'), 'zz\r\n', sound.subarray(0, 100)),
      /^download: answered in what is not HTTP/,
    ],
    ['speaks no HTTP', send('220 mail.example ESMTP ready\r\n'), /^download: answered in what is not HTTP/],
    ['changes the protocol', send(head('HTTP/1.1 101 Switching Protocols', 'Upgrade: x')), /^download: /],
    [
      'says 304 to who knows nothing',
      send(head('HTTP/1.1 304 Not Modified')),
      /answered 304 Not Modified, which brings no/,
    ],
    [
      'packs what cannot be unpacked',
      send(
        head(ok, 'Content-Encoding: gzip', length(11)),
        Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('not gzip!')]),
      ),
      /^download: is sent in the coding gzip, and cannot be unpacked/,
    ],
    [
      'names a coding that its bytes are not in',
      send(head(ok, 'Content-Encoding: gzip', length(sound.length)), sound),
      /^sound$/,
    ],
    [
      'redirects in a circle',
      send(head('HTTP/1.1 302 Found', 'Location: ?round', length(0))),
      /^download: redirects more than 5 times/,
    ],
    [
      'has headers without end',
      endlessly(`${ok}\r\n`, `X-More: ${'x'.repeat(1000)}\r\n`),
      /headers .* too large/,
    ],
    ['sends without end', endlessly(head(ok), 'x'.repeat(65_536)), /^download: is larger than 4000000 bytes/],
  ])('%s', async (_, says, expected) => {
    answer = says
    expect(await outcome()).toMatch(expected)
    // The next is served as if nothing had been.
    answer = send(head('HTTP/1.0 200 OK', length(sound.length)), sound)
    expect(await outcome('?next')).toBe('sound')
    expect((await readdir(folder)).filter((name) => name.includes('next'))).toEqual([])
  })

  test.each<[string, (socket: Socket) => void, RegExp]>([])('%s', async (_, says, expected) => {
    answer = says
    expect(await outcome()).toMatch(expected)
    // The next is served as if nothing had been.
    answer = send(head('HTTP/1.0 200 OK', length(sound.length)), sound)
    expect(await outcome('?next')).toBe('sound')
    expect((await readdir(folder)).filter((name) => name.includes('next'))).toEqual([])
  })

  test.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'drips its headers',
      (socket) => {
        socket.write(`${ok}\r\nX-Slow: `)
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      /^download: sent nothing, or next to nothing, for 1 s; tried 2 times/,
    ],
    [
      'drips its body',
      (socket) => {
        socket.write(head(ok, length(sound.length)))
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      /^download: sent nothing, or next to nothing, for 1 s; tried 2 times/,
    ],
  ])('%s', async (_, says, expected) => {
    await recordings.close()
    recordings = patientFor(1000)
    answer = says
    expect(await outcome()).toMatch(expected)
  })

  test.each([
    ['headers', `${ok}\r\nX-Slow: `],
    ['body', head(ok, length(sound.length))],
  ])('drips its %s', async (_, begin) => {
    answer = (socket) => {
      socket.write(begin)
      const drip = setInterval(() => socket.write('x'), 20)
      socket.on('close', () => clearInterval(drip))
    }
    await recordings.close()
    start(500)
    expect(await outcome()).toMatch(
      /^download: sent nothing, or next to nothing, for 0.5 s; tried 2 times, try again later$/,
    )
  })

  test('property: whatever bytes of its answer are lost, doubled or changed', async () => {
    const whole = Buffer.concat([
      Buffer.from(head('HTTP/1.1 200 OK', length(sound.length), 'ETag: "1"', 'Connection: close')),
      sound,
    ])
    const damage = fc.record({
      at: fc.integer({ min: 0, max: 120 }),
      drop: fc.integer({ min: 0, max: 40 }),
      put: fc.string({ unit: 'binary', maxLength: 20 }),
      cut: fc.option(fc.integer({ min: 0, max: whole.length })),
    })
    let run = 0
    await fc.assert(
      fc.asyncProperty(damage, async ({ at, drop, put, cut }) => {
        const damaged = [whole.subarray(0, at), Buffer.from(put), whole.subarray(at + drop)]
        answer = send(Buffer.concat(damaged).subarray(0, cut ?? undefined))
        expect(await outcome(`?${run++}`)).toMatch(/^(sound|\d+ samples|(download|decode): .{10,})/)
      }),
      { numRuns: runs(40) },
    )
  })
})
