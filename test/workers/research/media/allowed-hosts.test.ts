import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRecordings } from '#src/workers/research/media/recordings.ts'
import type { RecordingsOptions } from '#src/workers/research/media/recordings-options.ts'
import { tone, wav } from '../../../../packages/sound/test/decode/tones.ts'
import { noBuckets } from '../../buckets/no-buckets.ts'
import { type MediaServer, serve, startMediaServer, status } from './media-server.ts'

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
    const open = async (hosts?: RecordingsOptions['hosts'], foreign = false) => {
      const recordings = createRecordings({ folder, openBucket: noBuckets, ...(hosts && { hosts }) })
      const media = { uri: server.uri, type: 'audio/wav', foreign }
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

  it('nor one that is allowed beneath another, where it leads inside', async () => {
    const { server, localhost } = await site()
    const folder = await mkdtemp(join(tmpdir(), 'fonds-hosts-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const recordings = createRecordings({ folder, openBucket: noBuckets, hosts: ['.localhost'] })
    onTestFinished(recordings.close)
    await expect(recordings.open({ uri: localhost, type: 'audio/wav' }, hold)).rejects.toThrow(
      /leads to \S+, which is no public address; add localhost itself to FONDS_MEDIA_HOSTS/,
    )
    expect(server.asked).toEqual([])
  })

  it('what others had of an inner host is not given to a stranger who names it', async () => {
    const { server, open } = await site()
    server.script(serve(sound))
    expect(await open()).toMatchObject({ samples: 8000 })
    expect(await open(undefined, true)).toEqual({
      had: false,
      says: expect.stringMatching(/leads to 127\.0\.0\.1, which is no public address; .* FONDS_MEDIA_HOSTS/),
    })
    expect(await open(['127.0.0.1'], true)).toMatchObject({ had: true, samples: 8000 })
    expect(server.asked).toHaveLength(1)
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
