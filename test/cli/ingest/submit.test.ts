import { mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { submitted as submittedIn } from '../../ingest-submitted.ts'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

const submitted = () => fonds.withSystem(submittedIn)

const folder = (...files: readonly string[]): string => {
  const path = join(fonds.folder, 'letters')
  mkdirSync(path, { recursive: true })
  for (const file of files) fonds.file(`letters/${file}`, `of ${file}`)
  return path
}

const urlOf = (name: string): string => pathToFileURL(join(fonds.folder, name)).href

const checkm = (profile: string, ...rows: readonly string[]): string =>
  ['#%checkm_0.7', `#%profile | http://host.example/${profile}`, ...rows, '#%eof', ''].join('\n')

describe('fonds ingest submit', () => {
  it('puts a submission on its topic, with all that is said of it, and says what to ask next', async () => {
    const path = folder('1.txt')
    const { code, rows, err } = await fonds.run([
      ...['ingest', 'submit', path, '--update', '--ark', 'ark:99999/fk4-abc', '--submitter', 'ada'],
      ...['--local-id', 'a;b', '--local-id', 'c', '--who', 'Ada', '--what', 'Letters', '--when', '1912'],
      ...['--where', 'Delft', '--note', 'torn', '--notify', 'a@b.example', '--notify', 'c@d.example'],
      ...['--callback', 'https://host.example/done'],
    ])
    expect({ code, rows }).toEqual({ code: 0, rows: [{ batch: expect.stringMatching(/^[0-9a-f-]{36}$/) }] })
    expect(err).toContain(`fonds ingest batch ${rows[0]?.batch}`)
    expect(await submitted()).toEqual([
      {
        batch: rows[0]?.batch,
        // Files of this machine: who has this home reads them.
        site: (await readFile(join(fonds.home, 'site'), 'utf8')).trim(),
        profile: 'default',
        submitter: 'ada',
        mode: 'update',
        payload: { url: `${pathToFileURL(path).href}/`, type: 'folder' },
        primary: 'ark:/99999/fk4abc',
        localIds: ['a', 'b', 'c'],
        description: { who: 'Ada', what: 'Letters', when: '1912', where: 'Delft', note: 'torn' },
        notifyTo: ['a@b.example', 'c@d.example'],
        callback: 'https://host.example/done',
      },
    ])
  })

  it.each<readonly [string, string, string]>([
    ['a.txt', 'a letter', 'file'],
    ['a.tar.gz', 'x', 'container'],
    ['a.zip', 'x', 'container'],
    ['a.checkm', checkm('mrt-ingest-manifest'), 'manifest'],
    ['b.checkm', checkm('mrt-batch-manifest'), 'batch-manifest'],
    ['c.checkm', checkm('mrt-container-batch-manifest'), 'container-batch-manifest'],
    ['d.checkm', checkm('mrt-single-file-batch-manifest'), 'single-file-batch-manifest'],
  ])('takes %s for what it is', async (name, content, type) => {
    expect(await fonds.run(['ingest', 'submit', fonds.file(name, content)])).toMatchObject({ code: 0 })
    expect((await submitted())[0]?.payload).toEqual({
      url: urlOf(name),
      name,
      size: Buffer.byteLength(content),
      type,
    })
  })

  it('takes a folder with bagit.txt for a bag, any as it is told, and a URL as it is', async () => {
    const path = folder('bagit.txt')
    const url = 'https://host.example/a.zip'
    for (const more of [[path], [path, '--each-file'], [path, '--type', 'folder'], [url]])
      expect(await fonds.run(['ingest', 'submit', ...more])).toMatchObject({ code: 0 })
    const zip = fonds.file('a.zip', 'PK')
    const digest = 'md5:d41d8cd98f00b204e9800998ecf8427e'
    expect(await fonds.run(['ingest', 'submit', zip, '--type', 'file', '--digest', digest])).toMatchObject({
      code: 0,
    })
    const payloads = (await submitted()).map(({ payload }) => payload)
    const at = { url: `${pathToFileURL(path).href}/` }
    expect(payloads).toEqual([
      { ...at, type: 'bag' },
      { ...at, type: 'each-file' },
      { ...at, type: 'folder' },
      { url },
      {
        url: urlOf('a.zip'),
        name: 'a.zip',
        size: 2,
        type: 'file',
        digest: { algorithm: 'md5', value: digest.slice(4) },
      },
    ])
  })

  it.each<readonly [readonly string[], number, string]>([
    [['nothing-there'], 1, 'there is no nothing-there'],
    [['ftp://host.example/a'], 2, 'payload.url: ftp: is not spoken here'],
    [['a.7z'], 2, '7z is not unpacked here'],
    [['a.txt', '--each-file'], 2, 'is a file; each-file is for a folder'],
    [['a.txt', '--ark', 'doi:1'], 2, '--ark: wants ARK (ark:/NAAN/name), got "doi:1"'],
    [['a.txt', '--notify', 'ada'], 2, '--notify: wants list of: mail address'],
    [['a.txt', '--digest', 'abc'], 2, '--digest wants algorithm:hex'],
    [['a.txt', '--digest', 'md5:abc'], 2, 'abc is no md5 digest'],
    [['a.txt', '--type', 'book'], 2, 'Allowed choices are file, container'],
    [
      ['letters', '--digest', 'md5:d41d8cd98f00b204e9800998ecf8427e'],
      2,
      'folder is of a folder, which has no digest',
    ],
    [['letters', '--each-file', '--type', 'bag'], 2, 'say two things'],
    [['letters', '--each-file', '--each-folder'], 2, '--each-file and --each-folder say two things'],
    [['a.txt', '--each-folder'], 2, 'is a file; each-folder is for a folder'],
    [['a.txt', '--profile', 'letters'], 1, 'there is no profile letters'],
  ])('X1: refuses %j', async ([what = '', ...flags], code, says) => {
    folder('1.txt')
    for (const name of ['a.txt', 'a.7z']) fonds.file(name, 'x')
    const path = what.includes(':') ? what : join(fonds.folder, what)
    const ran = await fonds.run(['ingest', 'submit', path, ...flags])
    expect(ran.code).toBe(code)
    expect(ran.err.replace(`${fonds.folder}/`, '')).toContain(says)
  })
})

describe('fonds ingest submit --wait', () => {
  it('takes a folder in on an empty home, and says where it is', async () => {
    const { code, rows, err } = await fonds.run(['ingest', 'submit', folder('1.txt', '2.txt'), '--wait'])
    // A slow machine shows how far it is.
    expect(err.replaceAll(/^Taking in: .*\n/gm, '')).toBe('')
    expect(rows).toEqual([
      expect.objectContaining({
        job: 1,
        state: 'completed',
        ark: expect.stringMatching(/^ark:/),
        version: 1,
      }),
      expect.objectContaining({ number: 1, state: 'completed', jobs: 1, completed: 1, failed: 0 }),
    ])
    expect(code).toBe(0)
    const object = await fonds.run(['query', 'ingest-files', '--columns', 'path'])
    expect(object.rows).toContainEqual({ path: 'producer/1.txt' })
  })

  it('takes each file in, shows people a table, and ends with 1 where a job failed', async () => {
    const each = await fonds.run(['ingest', 'submit', folder('1.txt', '2.txt'), '--each-file', '--wait'], {
      terminal: 120,
    })
    expect(each).toMatchObject({ code: 0 })
    expect(each.out).toMatch(/batch 1 \(.*\) is completed: 2 jobs, 2 completed, 0 failed/)

    const row = (name: string) => `${urlOf(name)} | | | | | ${name}`
    const manifest = checkm('mrt-single-file-batch-manifest', row('letters/1.txt'), row('gone.txt'))
    const batch = await fonds.run(['ingest', 'submit', fonds.file('b.checkm', manifest), '--wait'])
    expect(batch.code).toBe(1)
    expect(batch.rows).toEqual([
      expect.objectContaining({ state: 'failed', message: expect.stringContaining('gone.txt') }),
      expect.objectContaining({ state: 'completed' }),
      expect.objectContaining({ number: 2, state: 'failed', jobs: 2, completed: 1, failed: 1 }),
    ])
    expect(batch.err).toContain('1 of 2 jobs failed')

    const broken = fonds.file('c.checkm', '#%profile | mrt-batch-manifest\nno end\n')
    const unread = await fonds.run(['ingest', 'submit', broken, '--wait'])
    expect(unread.code).toBe(1)
    expect(unread.err).toContain('the payload could not be read')
  })

  it('ends with 1 where a hold keeps it waiting, and says which', async () => {
    const by = ['--actor', 'ada', '--reason', 'the disk is mended']
    await fonds.run(['do', 'ingest.hold-collection', 'collection=default', ...by])
    const held = await fonds.run(['ingest', 'submit', folder('1.txt'), '--wait'])
    expect(held).toMatchObject({ code: 1, err: expect.stringContaining('the batch is held') })
    expect(held.rows).toMatchObject([{ state: 'held', message: expect.stringContaining('is on hold') }])

    await fonds.run(['do', 'ingest.pause', ...by])
    const paused = await fonds.run(['ingest', 'submit', folder('1.txt'), '--wait'])
    expect(paused.code).toBe(1)
    expect(paused.err).toContain('all ingest is paused: the disk is mended (ada)')
    expect(paused.rows).toMatchObject([
      { state: 'pending', reasons: [{ kind: 'paused', who: 'ada' }, { kind: 'collection-on-hold' }] },
    ])
  })
})
