import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { right } from 'fp-ts/lib/Either.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { bucketRootAt } from '#infra/object-store/ocfl-s3/storage-root.ts'
import { openBucket } from '#infra/s3/bucket.ts'
import { openProcessLock } from '#infra/sqlite/process-lock.ts'
import { objectStoreSuite } from '../../contracts/object-store.ts'
import { roundsOr, useSeed } from '../../e2e/crash/seed.ts'
import { launch, start, until, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'
import { s3Calls } from '../../fakes/s3-calls.ts'
import { useBucketStore } from '../../infra/object-store/bucket-store.ts'
import { done, useRoot, versionOf } from '../../infra/object-store/root-folder.ts'
import { placeOf } from '../s3/server-address.ts'
import { type ServerName, server } from '../servers.ts'
import { ocflPyIsAbsent, useOcflPy } from './ocfl-judges.ts'

/* Storage roots that we wrote into buckets of real servers, judged by a program that is not ours. */

const servers: readonly (readonly [ServerName, boolean])[] = [
  ['s3', false],
  ['s3', true],
  ['moto', false],
  ['moto', true],
]

describe.each(servers)('a storage root in a bucket of %s (keeps versions: %s)', (name, isVersioned) => {
  const found = server(name)

  const useBucket = async () => {
    if ('absent' in found) throw new Error(found.absent)
    const { endpoint, keys } = placeOf(found.address)
    const env = {
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: keys.secretAccessKey,
      AWS_REGION: 'us-east-1',
    }
    for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
    const calls = s3Calls(endpoint, keys)
    onTestFinished(() => calls.close())
    const bucket = `b-${randomUUID()}`
    expect(await calls.call('PUT', `/${bucket}`)).toMatchObject({ status: 200 })
    const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    if (isVersioned)
      expect(await calls.call('PUT', `/${bucket}`, { query: { versioning: '' }, body })).toMatchObject({
        status: 200,
      })
    const address = `s3://${bucket}/archive/storage`
    return { env, ...(await useBucketStore(address, endpoint)) }
  }

  // moto looks whether a key is there and then puts it: on a busy machine both writers pass.
  describe.skipIf('absent' in found)('with our own reader', () =>
    objectStoreSuite(useBucket, name !== 'moto'),
  )

  describe.skipIf('absent' in found || ocflPyIsAbsent)('with ocfl-py', () => {
    it('is valid with names of any kind, versions that carry, drop and replace, and some set aside', async () => {
      const { env, address, s3, open, file } = await useBucket()
      const place = bucketRootAt(address, s3)
      onTestFinished(() => place.close())
      expect(await place.name('an id')()).toEqual(right('an id'))
      const store = await open({ puts: { partBytes: 5 * 1024 ** 2 } })
      const names = ['a', 'é', 'b/c', 'B/C', 'e\u0301', 'a:b', 'end.', 'x'.repeat(300), 'white space', '%41']
      const large = file('large', 'l'.repeat(12 * 1024 ** 2))
      const ids = ['ark:/99999/fk4abc', 'ark:/99999/ü', `ark:/99999/${'x'.repeat(200)}`]
      for (const id of ids) {
        // Names within an object are written alike, whatever its own name is.
        const own = id === ids[0] ? names : names.slice(0, 2)
        const first = [...(id === ids[0] ? [large] : []), ...own.map((path) => file(path, path))]
        await done(store.write(versionOf(id, 0, first)))
        await done(store.write(versionOf(id, 1, [file('a', 'new')], { carry: 'all', drop: ['é'] })))
        await done(store.write(versionOf(id, 2, [])))
      }
      const judge = useOcflPy(env)
      expect(await judge(address, 'when all is written')).toBe(3)
      await done(store.setAside(ids[0]!, 1))
      await done(store.setAside(ids[1]!, 0))
      expect(await judge(address, 'with versions set aside')).toBe(2)
      await done(store.write(versionOf(ids[0]!, 1, [file('a', 'another')])))
      await done(store.write(versionOf(ids[1]!, 0, [file('a', 'again')])))
      expect(await judge(address, 'when they are written again')).toBe(3)
      expect(await place.inspect()()).toMatchObject({ right: { root: 'an id', isEmpty: false } })
    })

    it('is valid after each kill and the next start, and has what its writer reported as stored', async () => {
      const { env, address, open } = await useBucket()
      const { base } = useRoot()
      const { chance } = useSeed()
      const judge = useOcflPy(env)
      const stored = new Map<string, number>()
      for (let kill = 0; kill < roundsOr(1, 3); kill++) {
        const script = join(import.meta.dirname, 'ocfl-writer.ts')
        const writer = launch(process.execPath, [script, base, '8', address], env)
        await until('the writer writes', () => {
          if (writer.child.exitCode !== null) throw new Error(writer.stderr())
          return writer.stdout().includes('ark')
        })
        await setTimeout(chance() * 100)
        writer.child.kill('SIGKILL')
        await writer.exit
        for (const line of writer.stdout().split('\n').slice(0, -1)) {
          const [object = '', version] = line.split(' ')
          stored.set(object, Number(version))
        }
        const store = await open({ processLock: openProcessLock(join(base, 'locks')) })
        await judge(address, `after kill ${kill}`)
        for (const [object, version] of stored) {
          const head = (await done(store.head(object)))?.version ?? 0
          expect(head, object).toBeGreaterThanOrEqual(version)
        }
      }
    })
  })
})

const found = server('s3')
describe.skipIf('absent' in found || ocflPyIsAbsent)('ingest by the command line, into a bucket', () => {
  const useArchive = async () => {
    if ('absent' in found) throw new Error(found.absent)
    const { endpoint, keys } = placeOf(found.address)
    const calls = s3Calls(endpoint, keys)
    onTestFinished(() => calls.close())
    const bucket = `b-${randomUUID()}`
    await calls.call('PUT', `/${bucket}`)
    const own = { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey }
    // Commands run in this process.
    for (const [variable, value] of Object.entries(own)) vi.stubEnv(variable, value)
    const env = {
      ...own,
      FONDS_S3_ENDPOINT: endpoint,
      FONDS_INGEST_STORAGE: `s3://${bucket}/storage`,
      FONDS_CLAIM_SECONDS: '3',
      FONDS_DUTY_SECONDS: '2',
    }
    const judge = useOcflPy({ ...env, AWS_ENDPOINT_URL: endpoint })
    return { endpoint, keys, calls, bucket, env, judge, ...useFolder() }
  }

  const lettersIn = (root: string, count: number): { readonly folder: string; readonly files: number } => {
    const folder = join(root, 'letters')
    mkdirSync(folder)
    for (let i = 0; i < count; i++) writeFileSync(join(folder, `letter ${i}.txt`), `the text of letter ${i}`)
    return { folder, files: count + 6 }
  }

  it('ingest X22 killed while it stores: the next start ends it, once, and the root is valid', async () => {
    const { calls, bucket, env, judge, home, root } = await useArchive()
    const letters = lettersIn(root, 400)
    const submitting = start(['ingest', 'submit', letters.folder, '--wait'], { home, env })
    await until('some of it is in the bucket', async () => {
      if (submitting.child.exitCode !== null) throw new Error(`ended before:\n${submitting.stderr()}`)
      const query = { 'list-type': '2', prefix: 'storage/' }
      const listed = await calls.call('GET', `/${bucket}`, { query })
      return listed.body.toString().includes('letter')
    })
    submitting.child.kill('SIGKILL')
    await submitting.exit
    const server = start(['start'], { home, env: { ...env, FONDS_PORT: '0' } })
    await until('the batch is completed', async () => {
      const [batch] = await ask(['query', 'ingest-batches'], { home })
      return batch?.state === 'completed'
    })
    server.child.kill('SIGTERM')
    await server.exit
    expect(await judge(env.FONDS_INGEST_STORAGE, 'at the end')).toBe(1)
    const [object] = await ask(['ingest', 'objects'], { home, env })
    expect(object).toMatchObject({ version: 1, files: letters.files })
    expect(await ask(['ingest', 'audit'], { home, env })).toEqual([])
    expect(await run(['ingest', 'compare-storage'], { home, env })).toMatchObject({ code: 0 })
  })

  it('two processes store versions of one object at once: each job has a version of its own, and the root is valid', async () => {
    const { env, judge, home, root } = await useArchive()
    const submissions = 6
    for (let i = 0; i < submissions; i++) {
      const folder = join(root, `letters ${i}`)
      mkdirSync(folder)
      writeFileSync(join(folder, `letter ${i}.txt`), `the text of letter ${i}`)
      await ask(['ingest', 'submit', folder, '--update', '--local-id', 'letters'], { home, env })
    }
    const nodes = [
      start(['start'], { home, env: { ...env, FONDS_PORT: '0' } }),
      start(['worker', 'ingest'], { home, env }),
    ]
    await until('all batches are completed', async () => {
      const batches = await ask(['query', 'ingest-batches'], { home })
      return batches.filter(({ state }) => state === 'completed').length === submissions
    })
    for (const { child, exit } of nodes) {
      child.kill('SIGTERM')
      await exit
    }
    expect(await judge(env.FONDS_INGEST_STORAGE, 'at the end')).toBe(1)
    const [object] = await ask(['ingest', 'objects'], { home, env })
    expect(object).toMatchObject({ version: submissions, files: submissions + 6 })
    expect(await run(['ingest', 'audit', '--storage'], { home, env })).toMatchObject({ code: 0, stdout: '' })
  })

  it('audit --storage gives up uploads that nobody holds, and names what belongs to no object', async () => {
    const { calls, bucket, env, home, root } = await useArchive()
    await ask(['ingest', 'submit', lettersIn(root, 3).folder, '--wait'], { home, env })
    const audit = () => run(['ingest', 'audit', '--storage'], { home, env })
    expect(await audit()).toMatchObject({ code: 0, stdout: '' })
    const query = { uploads: '' }
    await calls.call('POST', `/${bucket}/storage/000/left`, { query })
    await calls.call('PUT', `/${bucket}/storage/000/stray`, { body: 'of nobody' })
    const audited = await audit()
    expect(audited).toMatchObject({ code: 1, stderr: expect.stringContaining('Gave up 1 upload') })
    expect(audited.stderr).toContain('000/stray: what lies there belongs to no object')
    const left = await calls.call('GET', `/${bucket}`, { query })
    expect(left.body.toString()).not.toContain('<UploadId>')
    const compared = await run(['ingest', 'compare-storage'], { home, env })
    expect(compared).toMatchObject({ code: 1, stdout: expect.stringContaining('000/stray') })
    expect(await run(['ingest', 'audit'], { home, env })).toMatchObject({ code: 0 })
  })

  it('a backup names the bucket; both put back elsewhere are the archive again', async () => {
    const { endpoint, bucket, env, judge, home, root } = await useArchive()
    const letters = lettersIn(root, 3)
    const submit = ['ingest', 'submit', letters.folder, '--wait', '--local-id', 'letters']
    await ask(submit, { home, env })
    const backup = join(root, 'backup')
    const made = await run(['backup', backup], { home, env })
    expect(made).toMatchObject({ code: 0 })
    expect(JSON.parse(readFileSync(join(backup, 'backup.json'), 'utf8')).elsewhere).toEqual([
      expect.stringContaining(`the objects are in s3://${bucket}/storage`),
    ])
    const client = openBucket(bucket, { endpoint })
    onTestFinished(() => client.close())
    for await (const { objects } of client.list({ prefix: 'storage/' }))
      for (const { key } of objects) {
        const bytes = await buffer((await client.get(key)).body)
        await client.put(`restored/${key}`, bytes)
      }
    const restored = { home: join(root, 'restored'), env: { ...env } }
    cpSync(backup, restored.home, { recursive: true })
    restored.env.FONDS_INGEST_STORAGE = `s3://${bucket}/restored/storage`
    expect(await run(['ingest', 'compare-storage'], restored)).toMatchObject({ code: 0 })
    writeFileSync(join(letters.folder, 'letter 3.txt'), 'one more')
    await ask([...submit, '--update'], restored)
    expect(await judge(restored.env.FONDS_INGEST_STORAGE, 'in the restored archive')).toBe(1)
    const [object] = await ask(['ingest', 'objects'], restored)
    expect(object).toMatchObject({ version: 2 })
  })
})
