import { describe, expect, it } from 'vitest'
import { isChecked } from '#src/domain/ingest/ark.ts'
import { fileServer, ingestWorld, manifest, md5, sha256, testServer } from './ingest-world.ts'

describe('a submission', () => {
  it('of one file is stored with what is said of it, and completed', async () => {
    const world = await ingestWorld()
    const url = await world.file('letter.txt', 'Dear all')
    const id = await world.submit({
      payload: {
        url,
        type: 'file',
        digest: { algorithm: 'SHA-256', value: sha256('Dear all').toUpperCase() },
      },
      localIds: ['letter-1'],
      description: { who: 'Ada Example', what: 'A letter & more', when: '1912' },
    })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', number: 1, type: 'file', completed: 1 })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ state: 'completed', version: 1, files: 7, spaceNeeded: 8, sizeKnown: 1 })
    const ark = job!.ark
    expect(ark).toMatch(/^ark:\/99999\/fk4/)
    expect(isChecked(ark!)).toBe(true)
    expect(await world.stored(ark, 'producer/letter.txt')).toBe('Dear all')
    expect(await world.stored(ark, 'system/mrt-erc.txt')).toBe(
      `erc:\nwho: Ada Example\nwhat: A letter & more\nwhen: 1912\nwhere: ${ark}\nwhere: letter-1\n`,
    )
    expect(await world.stored(ark, 'system/mrt-dc.xml')).toContain('<dc:title>A letter &amp; more</dc:title>')
    const [row] = world.system.viewStore.query('ingest-local-ids', {})
    expect(row).toMatchObject({ localId: 'letter-1', ark })
    expect(world.system.viewStore.query('ingest-files', {})).toHaveLength(7)
  })

  it('of a manifest brings the files of its rows from servers and folders, under their names', async () => {
    const world = await ingestWorld()
    const server = await fileServer({ 'a.tif': 'first image', 'b.tif': 'second image' })
    const note = await world.file('note.txt', 'a note')
    const rows = [
      [`${server.address}/a.tif`, 'sha-256', sha256('first image'), 11, '', 'images/a.tif'],
      [`${server.address}/b.tif`, 'md5', md5('second image'), '', '', 'images/b.tif'],
      [note, '', '', '', '', ''],
    ]
    const text = manifest('mrt-ingest-manifest', rows)
    const url = await world.file('object.checkm', text)
    const id = await world.submit({ payload: { url } })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', type: 'manifest', jobs: 1 })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ spaceNeeded: 29, sizeKnown: 1 })
    expect(await world.paths(job!.ark)).toEqual([
      'producer/images/a.tif',
      'producer/images/b.tif',
      'producer/note.txt',
      'system/mrt-dc.xml',
      'system/mrt-erc.txt',
      'system/mrt-ingest.txt',
      'system/mrt-membership.txt',
      'system/mrt-mom.txt',
      'system/mrt-owner.txt',
      'system/mrt-submission-manifest.txt',
    ])
    expect(await world.stored(job!.ark, 'producer/images/b.tif')).toBe('second image')
    expect(await world.stored(job!.ark, 'system/mrt-submission-manifest.txt')).toBe(text)
  })

  it('C5: of a batch manifest is a job a row, of its own number and payload; a row that fails leaves the others alone (X3, I10)', async () => {
    const world = await ingestWorld()
    const one = await world.file('one.txt', 'one')
    const two = await world.file('two.txt', 'two')
    const rows = [
      [one, '', '', '', '', 'first.txt', '', 'loc-1; other-1', 'Ada', 'One', '1912'],
      [`${two}-away`, '', '', '', '', 'away.txt'],
      [two, 'md5', md5('two'), 3, '', 'second.txt', 'ark:/12345/given'],
    ]
    const url = await world.file('batch.checkm', manifest('mrt-single-file-batch-manifest', rows))
    const id = await world.submit({ payload: { url } })
    expect(await world.ended(id)).toMatchObject({ state: 'failed', completed: 2, failed: 1, reports: 1 })
    const [first, second, third] = world.jobsOf(id)
    expect([first, second, third].map((job) => job!.job)).toEqual([1, 2, 3])
    expect([first, second, third].map((job) => job!.payload.url)).toEqual([one, `${two}-away`, two])
    expect(first).toMatchObject({ state: 'completed', localIds: ['loc-1', 'other-1'], title: 'One' })
    expect(await world.stored(first!.ark, 'producer/first.txt')).toBe('one')
    expect(second).toMatchObject({ state: 'failed', failedIn: 'downloading', permanent: 0 })
    expect(second!.message).toContain(`${two}-away is not there`)
    expect(third).toMatchObject({ state: 'completed', ark: 'ark:/12345/given' })
    const [report] = world.system.viewStore.query('ingest-reports', {})
    expect(report).toMatchObject({ failures: [{ job: second!.job, message: second!.message }] })
  })

  it('is recorded before anybody is told: who is called back asks at once and gets it', async () => {
    const world = await ingestWorld()
    const found: unknown[] = []
    const receiver = await testServer(async ({ body }, response) => {
      const { object, version } = JSON.parse(body)
      found.push(world.system.viewStore.query('ingest-versions', {}).length)
      found.push(await world.stored(object, 'producer/a.txt', version))
      response.end()
    })
    const url = await world.file('a.txt', 'A')
    const callback = `${receiver.address.replace('//', '//ada:secret@')}/done/`
    const id = await world.submit({ payload: { url, type: 'file' }, callback })
    expect(await world.ended(id)).toMatchObject({ state: 'completed' })
    expect(found).toEqual([1, 'A'])
    const [{ method, url: path, headers, body }, ...others] = receiver.asked as never as [
      { method: string; url: string; headers: { authorization: string }; body: string },
    ]
    const [job] = world.jobsOf(id)
    expect({ method, path, others }).toEqual({ method: 'POST', path: `/done/mc/${job!.job}`, others: [] })
    expect(headers.authorization).toBe(`Basic ${Buffer.from('ada:secret').toString('base64')}`)
    expect(JSON.parse(body)).toMatchObject({ job: job!.job, batch: id, object: job!.ark, state: 'recorded' })
  })

  it.each([
    ['is refused', 410, 1],
    ['finds a server that is broken, four times', 503, 4],
  ])(
    'C17: whose callback %s fails in notify, and the object stays stored (X19)',
    async (_, answer, tries) => {
      const world = await ingestWorld()
      const receiver = await testServer((_, response) => void response.writeHead(answer).end())
      const url = await world.file('a.txt', 'A')
      const id = await world.submit({ payload: { url, type: 'file' }, callback: receiver.address })
      expect(await world.ended(id)).toMatchObject({ state: 'failed' })
      const [job] = world.jobsOf(id)
      expect(job).toMatchObject({ state: 'failed', failedIn: 'notify', permanent: 0, version: 1 })
      expect(job!.message).toContain(`answered ${answer}`)
      expect(receiver.asked).toHaveLength(tries)
      expect(await world.stored(job!.ark, 'producer/a.txt')).toBe('A')
    },
  )

  it('with a known local id is another version of the object that it means', async () => {
    const world = await ingestWorld()
    const first = await world.submit({
      payload: { url: await world.file('a.txt', 'A'), type: 'file' },
      localIds: ['same'],
    })
    await world.ended(first)
    const second = await world.submit({
      payload: { url: await world.file('b.txt', 'B'), type: 'file' },
      localIds: ['same'],
    })
    expect(await world.ended(second)).toMatchObject({ state: 'completed' })
    const [before] = world.jobsOf(first)
    const [after] = world.jobsOf(second)
    expect(after).toMatchObject({ ark: before!.ark, version: 2 })
    expect(await world.stored(after!.ark, 'producer/b.txt')).toBe('B')
    expect(await world.stored(after!.ark, 'producer/a.txt')).toBeUndefined()
    expect(await world.stored(after!.ark, 'producer/a.txt', 1)).toBe('A')
  })

  it('with one ARK and a local id that means another one fails in processing (X15)', async () => {
    const world = await ingestWorld()
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    await world.ended(await world.submit({ payload, localIds: ['same'] }))
    const id = await world.submit({ payload, localIds: ['same'], primary: 'ark:/12345/other' })
    expect(await world.ended(id)).toMatchObject({ state: 'failed' })
    const [job] = world.jobsOf(id)
    expect(job).toMatchObject({ state: 'failed', failedIn: 'processing' })
    expect(job!.message).toContain('the local id same means ark:/99999/fk4')
  })
})
