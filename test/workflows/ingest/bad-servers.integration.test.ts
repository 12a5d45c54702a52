import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fileServer, ingestWorld, manifest, sha256, until } from './ingest-world.ts'

type World = Awaited<ReturnType<typeof ingestWorld>>
type Fields = readonly (string | number | undefined)[]

const submitRows = async (world: World, ...rows: readonly Fields[]) => {
  const url = await world.file('object.checkm', manifest('mrt-ingest-manifest', rows))
  const id = await world.submit({ payload: { url, type: 'manifest' } })
  await world.ended(id)
  return world.jobsOf(id)[0]!
}

describe('a download', () => {
  it('of a size that nobody says goes on, behind others; the real size is known afterwards (X9)', async () => {
    const world = await ingestWorld()
    const { address } = await fileServer({
      'a.txt': (response, { method }) =>
        method === 'HEAD' ? response.writeHead(405).end() : response.writeHead(200).end('of unknown size'),
    })
    const url = `${address}/a.txt`
    const id = await world.submit({ payload: { url, type: 'file' } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ sizeKnown: 1, spaceNeeded: 15, priority: 5 })
    const moves = world.system.viewStore.query('ingest-jobs', {})
    expect(moves).toHaveLength(1)
    expect(await world.stored(job!.ark, 'producer/a.txt')).toBe('of unknown size')
  })

  it.each([
    ['a file that is not there (X11)', 404, /answered 404/],
    ['a file that is not open to us (X11)', 403, /answered 403/],
  ])('of %s fails, and may be resumed', async (_, status, message) => {
    const world = await ingestWorld()
    const { address } = await fileServer({ 'a.txt': (response) => response.writeHead(status).end() })
    const job = await submitRows(world, [`${address}/a.txt`])
    expect(job).toMatchObject({ state: 'failed', failedIn: 'downloading', permanent: 0, ark: null })
    expect(job.message).toContain(`${address}/a.txt`)
    expect(job.message).toMatch(message)
  })

  it.each([
    ['is not the one that was announced (X12)', ['sha256', sha256('another'), ''], 'has the sha256 digest'],
    ['is longer than was announced', ['', '', 3], 'has 7 bytes; 3 were announced'],
    ['is shorter than was announced', ['', '', 300], 'has 7 bytes; 300 were announced'],
  ])('that %s fails, and nothing is stored', async (_, [algorithm, value, size], says) => {
    const world = await ingestWorld()
    const { address } = await fileServer({ 'a.txt': 'content' })
    const job = await submitRows(world, [`${address}/a.txt`, algorithm, value, size])
    expect(job).toMatchObject({ state: 'failed', failedIn: 'downloading', permanent: 0, version: null })
    expect(job.message).toContain(says)
    expect(world.system.viewStore.query('ingest-versions', {})).toEqual([])
  })

  it('is resumed with what is there already: only what is missing is asked for again', async () => {
    const world = await ingestWorld()
    const work = world.system.config.ingestWork
    const isThere = () =>
      readdirSync(work, { recursive: true }).some((path) => String(path).endsWith('producer/a.txt'))
    const files: Parameters<typeof fileServer>[0] = {
      'a.txt': 'A',
      // One that fails ends those that are under way.
      'b.txt': async (response) => {
        await until('the other one is there', () => isThere() || undefined)
        response.writeHead(404).end()
      },
    }
    const server = await fileServer(files)
    const rows = ['a.txt', 'b.txt'].map((name) => [
      `${server.address}/${name}`,
      'sha256',
      sha256(name === 'a.txt' ? 'A' : 'B'),
      1,
    ])
    const failed = await submitRows(world, ...rows)
    expect(failed).toMatchObject({ failedIn: 'downloading' })
    files['b.txt'] = 'B'
    await world.resume(failed.job)
    const job = await until('it is completed', () =>
      world.jobsOf(failed.batch).find(({ state }) => state === 'completed'),
    )
    expect(job).toMatchObject({ retryCount: 1, version: 1 })
    expect(server.asked.filter(({ url }) => url === '/a.txt')).toHaveLength(1)
    expect(await world.stored(job.ark, 'producer/a.txt')).toBe('A')
    // The batch waits for a person to end the troubleshooting (C16).
    expect(world.batch(failed.batch)).toMatchObject({ state: 'failed', reports: 1 })
  })

  it('from a host, or a folder, that is not allowed fails before anything is asked, redirects too', async () => {
    const inner = await fileServer({ secret: 'inner' })
    const outer = await fileServer({
      'a.txt': (response) => response.writeHead(302, { location: `${inner.address}/secret` }).end(),
    })
    const world = await ingestWorld({ ingestHosts: 'localhost', ingestFolders: '/nowhere' })
    const redirected = await world.submit({
      payload: { url: `${outer.address.replace('127.0.0.1', 'localhost')}/a.txt`, type: 'file' },
    })
    await world.ended(redirected)
    expect(world.jobsOf(redirected)[0]!.message).toContain('redirects to 127.0.0.1')
    const refused = await world.submit({ payload: { url: `${inner.address}/secret`, type: 'file' } })
    await world.ended(refused)
    expect(world.jobsOf(refused)[0]!.message).toContain('FONDS_INGEST_HOSTS')
    expect(inner.asked).toEqual([])
    const local = await world.submit({ payload: { url: await world.file('a.txt', 'A'), type: 'file' } })
    await world.ended(local)
    expect(world.jobsOf(local)[0]!.message).toContain('is not in a folder that may be read')
  })

  it('from a host that is allowed with all beneath a name fails where it leads inside; by its own name it may (X11, X19)', async () => {
    const server = await fileServer({
      'a.txt': 'A',
      'outer.txt': (response) => response.writeHead(302, { location: '/a.txt' }).end(),
    })
    const url = `${server.address.replace('127.0.0.1', 'localhost')}/outer.txt`
    const beneath = await ingestWorld({ ingestHosts: '.localhost' })
    const refused = await beneath.submit({ payload: { url, type: 'file' } })
    await beneath.ended(refused)
    const [job] = beneath.jobsOf(refused)
    expect(job).toMatchObject({ state: 'failed', failedIn: 'downloading' })
    expect(job!.message).toMatch(
      /localhost.* leads to \S+, which is no public address; add localhost itself to FONDS_INGEST_HOSTS/,
    )
    const callback = server.address.replace('127.0.0.1', 'localhost')
    const untold = await beneath.submit({
      payload: { url: await beneath.file('b.txt', 'B'), type: 'file' },
      callback,
    })
    await beneath.ended(untold)
    expect(beneath.jobsOf(untold)[0]).toMatchObject({ failedIn: 'notify', version: 1 })
    expect(beneath.jobsOf(untold)[0]!.message).toContain('no public address')
    expect(server.asked).toEqual([])
    const named = await ingestWorld({ ingestHosts: '.localhost,localhost' })
    expect(await named.ended(await named.submit({ payload: { url, type: 'file' } }))).toMatchObject({
      state: 'completed',
    })
  })
})
