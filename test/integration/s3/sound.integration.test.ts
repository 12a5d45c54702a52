import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { versitygw } from '#infra/local/s3/programs.ts'
import { startVersitygw, type Versitygw } from '#infra/local/s3/versitygw.ts'
import { jingle, mixIn, talk, wav } from '#src/cli/demo/sound.ts'
import { ask, run, startServer, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { startFaultProxy } from '../../fakes/fault-proxy.ts'
import { type S3Calls, s3Calls } from '../../fakes/s3-calls.ts'
import { slowDown } from '../../fakes/s3-server.ts'
import { limits } from '../../patience.ts'

/* Research of sound in a bucket of a real server, by the command line as people run it. */

const clip = jingle(2, 7)
const sound = wav(mixIn(talk(20, 1), clip, 12))

describe.skipIf(versitygw() === undefined)('research of sound in a bucket', () => {
  let server: Versitygw
  let calls: S3Calls

  beforeAll(async () => {
    server = await startVersitygw()
    calls = s3Calls(server.endpoint, server.keys)
    const put = (path: string, body?: Buffer) => calls.call('PUT', path, { ...(body && { body }) })
    expect(await put('/sound')).toMatchObject({ status: 200 })
    expect(await put('/sound/shows/the first show.wav', sound)).toMatchObject({ status: 200 })
    expect(await put('/sound/clips/jingle.wav', wav(clip))).toMatchObject({ status: 200 })
  })
  afterAll(async () => {
    await calls.close()
    await server.stop()
  })

  const given = (home: string, endpoint: string) => ({
    home,
    env: {
      FONDS_S3_ENDPOINT: endpoint,
      FONDS_MEDIA_FOLDERS: 's3://sound/shows,s3://sound/clips',
      AWS_ACCESS_KEY_ID: server.keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.keys.secretAccessKey,
    },
  })

  it('is added from there, found though the server falters, and played from there', limits, async () => {
    const proxy = await startFaultProxy(server.endpoint)
    try {
      const { home } = useFolder()
      const here = given(home, proxy.endpoint)
      for (const kind of ['episodes', 'clips'] as const) {
        const prefix = kind === 'episodes' ? 'shows' : kind
        const [added] = await ask(['research', 'add', kind, `s3://sound/${prefix}`], here)
        expect(added).toMatchObject({ added: 1, leftOut: [] })
      }
      let gets = 0
      proxy.beforeEach(({ kind, key }) => {
        if (kind !== 'GetObject' || !key.startsWith('shows/')) return undefined
        gets += 1
        if (gets === 1) return { kind: 'cut', afterBytes: 100_000 }
        return gets === 2 ? slowDown : undefined
      })
      const node = await startServer(here)
      const found = await until('the jingle is found', async () => {
        const [first] = await ask(['research', 'findings'], here)
        return first
      })
      expect(found).toMatchObject({
        ...{ episode: 'the first show', clip: 'jingle' },
        link: 's3://sound/shows/the first show.wav#t=12',
      })
      expect(gets).toBeGreaterThan(2)

      const media = `${node.address}/api/v1/research/episodes/the%20first%20show/media`
      const part = await fetch(media, { headers: { range: 'bytes=1000-1999' } })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes 1000-1999/${sound.length}`,
      ])
      expect(Buffer.from(await part.arrayBuffer())).toEqual(sound.subarray(1000, 2000))
      expect(await stop(node)).toBe(0)

      const doctor = await run(['doctor'], here)
      expect(doctor.stdout).toMatch(/media: s3:\/\/sound\/shows answers/)
      for (const text of [doctor.stdout, doctor.stderr, node.stdout(), node.stderr()])
        expect(text).not.toContain(server.keys.secretAccessKey)
    } finally {
      await proxy.close()
    }
  })
})
