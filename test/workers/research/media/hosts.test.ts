import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mayAsk, parseHosts } from '#src/workers/research/media/hosts.ts'
import { createRecordings, type RecordingsOptions } from '#src/workers/research/media/recordings.ts'
import { type MediaServer, serve, startMediaServer, status } from './media-server.ts'
import { tone, wav } from './tones.ts'

describe('hosts that may be fetched from', () => {
  const allows = (setting: string, ...hosts: readonly string[]) =>
    hosts.filter((host) => mayAsk(parseHosts(setting)!, `https://${host}/x.mp3`))

  it('a name is that host alone, a name after a dot it and all beneath it', () => {
    const asked = ['radio.example', 'cdn.radio.example', 'a.cdn.radio.example', 'myradio.example', 'example']
    expect(allows('radio.example', ...asked)).toEqual(['radio.example'])
    expect(allows('.radio.example', ...asked)).toEqual(asked.slice(0, 3))
    expect(allows('example, .cdn.radio.example ,', ...asked)).toEqual([
      'cdn.radio.example',
      'a.cdn.radio.example',
      'example',
    ])
    expect(allows(' , ', ...asked)).toEqual([])
  })

  it('however it is written: capitals, ports, a last dot, other alphabets, other forms of a number', () => {
    const written = ['RADIO.example', 'radio.example:8443', 'radio.example.']
    expect(allows('Radio.Example.', ...written)).toEqual(written)
    expect(allows('bücher.example', 'xn--bcher-kva.example', 'BÜCHER.example')).toHaveLength(2)
    expect(allows('10.0.0.1', '10.0.0.1', '167772161', '0x0a.0.0.1', '10.0.0.2')).toHaveLength(3)
    expect(allows('[::1]', '[0:0:0:0:0:0:0:1]:80', '[::2]')).toHaveLength(1)
  })

  it('who stands before the @ is not the host', () => {
    expect(mayAsk(['radio.example'], 'http://radio.example@10.0.0.1/')).toBe(false)
    expect(mayAsk(['radio.example'], 'http://10.0.0.1#radio.example')).toBe(false)
    expect(mayAsk(['.radio.example'], 'http://10.0.0.1/.radio.example')).toBe(false)
  })

  it.each([
    'https://radio.example',
    'radio.example:80',
    '*.radio.example',
    'radio.example/x',
    '..',
    'a b',
    '.',
  ])('%s is no name of a host', (text) => expect(parseHosts(`good.example,${text}`)).toBeUndefined())

  it('property: a name after a dot allows nothing that is not beneath it', () => {
    const label = fc.stringMatching(/^[a-z]{1,5}$/)
    const name = fc.array(label, { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(name, name, (allowed, asked) => {
        const isBeneath = asked.slice(-allowed.length).join('.') === allowed.join('.')
        expect(mayAsk(parseHosts(`.${allowed.join('.')}`)!, `http://${asked.join('.')}/`)).toBe(isBeneath)
      }),
    )
  })
})

describe('fetching from allowed hosts alone', () => {
  const sound = wav(8000, [tone(8000, 1, 440)])
  const hold = { signal: new AbortController().signal, progress: () => {} }

  const site = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fonds-hosts-'))
    const server: MediaServer = await startMediaServer()
    onTestFinished(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })
    const open = async (hosts?: RecordingsOptions['hosts']) => {
      const recordings = createRecordings({ folder, ...(hosts && { hosts }) })
      const media = { uri: server.uri, type: 'audio/wav' }
      try {
        const had = recordings.has(media)
        return await recordings.open(media, hold).then(
          ({ samples }) => ({ had, samples }),
          (error: Error) => ({ had, says: error.message }),
        )
      } finally {
        await recordings.close()
      }
    }
    return { server, open, localhost: server.uri.replace('127.0.0.1', 'localhost') }
  }

  it('another is never asked', async () => {
    const { server, open } = await site()
    server.script(serve(sound))
    expect(await open(['radio.example'])).toEqual({
      had: false,
      says: `${server.uri} is on a host that media may not be fetched from; allow it with FONDS_MEDIA_HOSTS, or offer it elsewhere`,
    })
    expect(await open([])).toMatchObject({ says: expect.stringContaining('may not be fetched from') })
    expect(server.asked).toEqual([])
    expect(await open(['127.0.0.1'])).toMatchObject({ samples: 8000 })
  })

  it('nor where a redirect leads to it', async () => {
    const { server, open, localhost } = await site()
    server.script(status(302, { location: '/here' }), status(302, { location: localhost }), serve(sound))
    expect(await open(['127.0.0.1'])).toMatchObject({
      says: `${server.uri} redirects to localhost, which media may not be fetched from; allow it with FONDS_MEDIA_HOSTS, or offer it elsewhere`,
    })
    expect(server.asked).toHaveLength(2)
    server.script(status(302, { location: localhost }), serve(sound))
    expect(await open(['127.0.0.1', 'localhost'])).toMatchObject({ samples: 8000 })
  })

  it('what was kept of a host that may no longer be fetched from is not given out', async () => {
    const { server, open } = await site()
    server.script(serve(sound))
    expect(await open()).toMatchObject({ had: false, samples: 8000 })
    expect(await open(['127.0.0.1'])).toMatchObject({ had: true, samples: 8000 })
    expect(await open(['radio.example'])).toMatchObject({ had: false, says: expect.any(String) })
    expect(server.asked).toHaveLength(1)
  })
})
