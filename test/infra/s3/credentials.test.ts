import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { credentialChain } from '../../../infra/s3/credentials.ts'
import { findPlace } from '../../../infra/s3/place.ts'
import { patience } from '../../patience.ts'

describe('credentials of the usual chain', () => {
  let folder: string
  let asked: string
  const minutes = (ahead: number) => new Date(Date.now() + ahead * 60_000).toISOString()
  const timesAsked = async () => (await readFile(asked, 'utf8').catch(() => '')).length

  /** A program as a profile names it: each time it gives another key. */
  const program = (expiration: string) => {
    const answer = `{"Version":1,"AccessKeyId":"key%s","SecretAccessKey":"secret","SessionToken":"token","Expiration":"${expiration}"}`
    return `printf x >> ${asked}; printf '${answer}' $(wc -c < ${asked})`
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fonds-credentials-'))
    asked = join(folder, 'asked')
    await writeFile(join(folder, 'long.sh'), program(minutes(60)))
    await writeFile(join(folder, 'short.sh'), program(minutes(1)))
    const profiles = ['long', 'short'].map(
      (name) =>
        `[profile ${name}]\nregion = eu-north-1\ncredential_process = sh ${join(folder, `${name}.sh`)}\n`,
    )
    await writeFile(join(folder, 'config'), profiles.join(''))
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'none'))
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
  })
  afterEach(() => rm(asked, { force: true }))
  afterAll(async () => {
    vi.unstubAllEnvs()
    await rm(folder, { recursive: true })
  })

  it('are asked for once by many callers, and kept', async () => {
    const source = credentialChain('long')
    const all = await Promise.all(Array.from({ length: 20 }, () => source.get()))
    expect(new Set(all.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set(['key1']))
    expect(await source.get()).toMatchObject({ accessKeyId: 'key1', sessionToken: 'token' })
    expect(await timesAsked()).toBe(1)
  })

  it('are asked for again when a server calls them expired, by all callers together, once a minute', async () => {
    let time = 0
    const source = credentialChain('long', undefined, () => time)
    await source.get()
    await Promise.all(Array.from({ length: 20 }, () => source.renew()))
    time += 59_000
    await source.renew()
    expect(await source.get()).toMatchObject({ accessKeyId: 'key2' })
    expect(await timesAsked()).toBe(2)
    time += 1000
    await source.renew()
    expect(await timesAsked()).toBe(3)
  })

  it('are renewed before they expire, while the old ones serve', async () => {
    const source = credentialChain('short')
    expect(await source.get()).toMatchObject({ accessKeyId: 'key1' })
    expect(await source.get()).toMatchObject({ accessKeyId: 'key1' })
    await vi.waitUntil(async () => (await source.get()).accessKeyId !== 'key1', patience)
  })

  it('of a profile that is not there are missing, which another call may find', async () => {
    const source = credentialChain('nobody')
    for (let call = 0; call < 2; call++)
      await expect(source.get()).rejects.toMatchObject({
        code: 'NoCredentials',
        message: expect.stringMatching(/in profile nobody .*AWS_ACCESS_KEY_ID/),
      })
  })

  it('come with the region of their profile', async () => {
    expect((await findPlace('bucket', { profile: 'long' }, {})).origin).toBe(
      'https://bucket.s3.eu-north-1.amazonaws.com',
    )
  })
})
