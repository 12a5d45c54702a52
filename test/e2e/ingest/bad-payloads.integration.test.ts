import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { tarOf } from '../../workers/ingest/tar-file.ts'
import { zipOf } from '../../workers/ingest/zip-file.ts'
import { manifest } from '../../workflows/ingest/ingest-world.ts'
import { ask, type Line, startServer, stop, useFolder } from '../run-fonds.ts'
import { archiveOverHttp } from './archive-over-http.ts'

/* Payloads as they should not be, all of them at once in a process of its own. Each comes to its end, with a sentence. */

const zip = (...names: readonly (string | Uint8Array)[]) =>
  zipOf(names.map((name, i) => ({ name, bytes: Buffer.from(`file ${i}`) })))

const segment = (length: number) => 'n'.repeat(length)
const longPath = (bytes: number) => `${`${segment(99)}/`.repeat(bytes / 100 - 1)}${segment(100)}`

/** Made by another tool: sizes as zip64 has them. */
const zip64 = Buffer.from(
  'UEsDBC0AAAAAAAAAIVzSEV/N//////////8HABQAYmlnLnR4dAEAEAAKAAAAAAAAAAoAAAAAAAAAc2l4dHktZm91clBLAQItAy0AAAAAAAAAIVzSEV/NCgAAAAoAAAAHAAAAAAAAAAAAAACAAQAAAABiaWcudHh0UEsFBgAAAAABAAEANQAAAEMAAAAAAA==',
  'base64',
)

/** Many entries of a zip that all are the same bytes: a small file that would become a large one. */
const bomb = (): Buffer => {
  const zeros = { name: 'a', bytes: Buffer.alloc(4 * 1024 ** 2) }
  const whole = zipOf([zeros])
  const at = whole.indexOf('PK\x01\x02')
  const end = whole.indexOf('PK\x05\x06')
  const entry = whole.subarray(at, end)
  const entries = Array.from({ length: 2000 }, (_, i) => {
    const named = Buffer.from(entry)
    named[entry.length - 1] = 0x61 + (i % 26)
    return named
  })
  const last = Buffer.from(whole.subarray(end))
  last.writeUInt16LE(2000, 8)
  last.writeUInt16LE(2000, 10)
  last.writeUInt32LE(2000 * entry.length, 12)
  return Buffer.concat([whole.subarray(0, at), ...entries, last])
}

const sparse = { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '9' }

type Outcome = { readonly says: RegExp; readonly in: string } | { readonly holds: readonly string[] }
type Case = readonly [row: string, name: string, bytes: Uint8Array | string, Outcome]

const refused = (says: RegExp, state = 'downloading'): Outcome => ({ says, in: state })
const well = (...holds: readonly string[]): Outcome => ({ holds })

const containers = async (): Promise<readonly Case[]> => {
  const tar = await tarOf([{ name: 'a', bytes: 'x'.repeat(512) }])
  return [
    ['X5', 'twice.zip', zip('a', 'a'), refused(/two are named "a"/)],
    ['X5', 'file-and-folder.zip', zip('a', 'a/b'), refused(/two are named "a\/b"/)],
    ['X5', 'case.zip', zip('A', 'a'), well('A', 'a')],
    ['X5', 'forms.zip', zip('caf\u00e9', 'cafe\u0301'), well('cafe\u0301', 'caf\u00e9')],
    ['X8', 'above.zip', zip('../evil'), refused(/leads out of the folder/)],
    ['X8', 'above.tar', await tarOf([{ name: '../evil' }]), refused(/leads out of the folder/)],
    ['X8', 'windows.zip', zip('..\\evil'), refused(/leads out of the folder/)],
    ['X8', 'absolute.zip', zip('/evil'), refused(/is absolute/)],
    ['X8', 'drive.zip', zip('C:\\evil'), refused(/is absolute/)],
    [
      'X8',
      'pax.tar',
      await tarOf([{ name: 'a', pax: { path: '../evil' } }]),
      refused(/leads out of the folder/),
    ],
    [
      'X8',
      'link.zip',
      zipOf([{ name: 'l', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 }]),
      refused(/symbolic link: l/),
    ],
    [
      'X8',
      'link.tar',
      await tarOf([{ name: 'l', type: 'symlink', linkname: '/etc/passwd' }]),
      refused(/symbolic link: l/),
    ],
    [
      'X8',
      'hard.tar',
      await tarOf([{ name: 'l', type: 'link', linkname: '/etc/passwd' }]),
      refused(/hard link: l/),
    ],
    ['X8', 'device.tar', await tarOf([{ name: 'd', type: 'character-device' }]), refused(/a device: d/)],
    ['X8', 'pipe.tar', await tarOf([{ name: 'p', type: 'fifo' }]), refused(/a pipe: p/)],
    ['X8', 'sparse.tar', await tarOf([{ name: 'GNUSparseFile.1/s', pax: sparse }]), refused(/sparse file/)],
    ['X8', 'nul.zip', zip('a\0b'), refused(/has a NUL/)],
    ['X8', 'dot.zip', zip('.'), refused(/a dot/)],
    ['X8', 'long-name.zip', zip(segment(256)), refused(/more than 255 bytes/)],
    ['X8', 'long-path.zip', zip(longPath(5000)), refused(/more than 3500 bytes/)],
    [
      'X8',
      'names.zip',
      zip(segment(255), longPath(3500), ' a\nb\t\x01 ', 'con', 'windows\\a'),
      well(' a\nb\t\x01 ', 'con', longPath(3500), segment(255), 'windows\\a'),
    ],
    [
      'X13',
      'crc.zip',
      zipOf([{ name: 'a', bytes: Buffer.from('a'), crc: 1 }]),
      refused(/does not have the checksum/),
    ],
    [
      'X13',
      'size.zip',
      zipOf([{ name: 'a', bytes: Buffer.from('abc'), size: 2 }]),
      refused(/no zip that can be read/),
    ],
    [
      'X13',
      'secret.zip',
      zipOf([{ name: 'a', bytes: Buffer.from('a'), encrypted: true }]),
      refused(/is encrypted: a/),
    ],
    [
      'X13',
      'method.zip',
      zipOf([{ name: 'a', bytes: Buffer.from('a'), method: 14 }]),
      refused(/packed by method 14/),
    ],
    ['X13', 'cut.zip', zip('a', 'b').subarray(0, 60), refused(/no zip that can be read/)],
    ['X13', 'none.zip', Buffer.alloc(0), refused(/no zip that can be read/)],
    ['X13', 'nothing.zip', zipOf([]), refused(/holds no file/)],
    ['X13', 'bomb.zip', bomb(), refused(/unpack to more than/)],
    ['X13', 'large.zip', zip64, well('big.txt')],
    ['X13', 'no-end.tar', tar.subarray(0, 1024), refused(/does not end as a tar does/)],
    ['X13', 'cut.tar', tar.subarray(0, 700), refused(/can be read to its end|ends in the middle/)],
    ['X13', 'noise.tar.bz2', 'noise', refused(/no tar.bz2/)],
    ['X13', 'noise.tar.gz', 'noise', refused(/no tar.gz/)],
  ]
}

const rows = (...lines: readonly string[]) =>
  manifest(
    'mrt-ingest-manifest',
    lines.map((line) => [line]),
  )

const manifests = (url: string): readonly Case[] => [
  ['X2', 'empty.checkm', manifest('mrt-batch-manifest', []), refused(/it has no row|lists no/, 'batch')],
  [
    'X2',
    'large.checkm',
    manifest('mrt-batch-manifest', [['x'.repeat(6 * 1024 ** 2)]]),
    refused(/larger than 5242880 bytes/, 'batch'),
  ],
  [
    'X2',
    'text.checkm',
    Buffer.from([...Buffer.from(manifest('mrt-batch-manifest', [], '')), 0xff, 10]),
    refused(/no UTF-8/, 'batch'),
  ],
  [
    'X4',
    'no-end.checkm',
    manifest('mrt-ingest-manifest', [[url]], ''),
    refused(/does not end with "#%eof"/, 'pending'),
  ],
  ['X4', 'no-url.checkm', rows(' | md5'), refused(/line 3: it has no fileUrl/, 'pending')],
  ['X4', 'bad-url.checkm', rows('letter.txt'), refused(/fileUrl letter.txt is no URL/, 'pending')],
  ['X4', 'bad-size.checkm', rows(`${url} | | | many`), refused(/many is no number of bytes/, 'pending')],
  ['X4', 'bad-digest.checkm', rows(`${url} | md6 | 00`), refused(/md6 is not known/, 'pending')],
  [
    'X5',
    'twice.checkm',
    rows(`${url} | | | | | a`, `${url} | | | | | a`),
    refused(/"a" is taken by line 3/, 'pending'),
  ],
  ['X5', 'case.checkm', rows(`${url} | | | | | A`, `${url} | | | | | a`), well('A', 'a')],
  ['X7', 'order.checkm', rows(`#%fields | nfo:fileName | nfo:fileUrl`, `b | ${url}`), well('b')],
  ['X8', 'above.checkm', rows(`${url} | | | | | ../a`), refused(/leads out of the folder/, 'pending')],
  ['X11', 'other.checkm', rows('gopher://host.example/a'), refused(/neither http, s3 nor file/)],
  [
    'X11',
    'folder.checkm',
    rows(`${new URL('.', url).href} | | | | | a`),
    refused(/is a folder|is not a file/),
  ],
]

const folders = (root: string): readonly (readonly [row: string, name: string, Outcome])[] => {
  const file = (path: string | Buffer, text = 'x') => writeFileSync(path, text)
  const folder = (name: string) => {
    mkdirSync(join(root, name), { recursive: true })
    return join(root, name)
  }
  file(join(folder('case'), 'Letter'))
  file(join(root, 'case', 'letter'))
  file(Buffer.concat([Buffer.from(`${folder('latin')}/caf`), Buffer.from([0xe9])]))
  file(join(folder('\u65e5\u672c'), '#hash?query %20|bar\n'))
  symlinkSync('/etc', join(folder('linked'), 'etc'))
  execFileSync('mkfifo', [join(folder('piped'), 'pipe')])
  execFileSync('mkfifo', [join(root, 'a-pipe')])
  folder('empty/within')
  file(join(folder('nothing'), 'empty'), '')
  return [
    ['X5', 'case', well('Letter', 'letter')],
    ['X8', 'latin', refused(/is no UTF-8/, 'pending')],
    ['X8', '\u65e5\u672c', well('#hash?query %20|bar\n')],
    ['X8', 'linked', refused(/"etc" is neither a file nor a folder/, 'pending')],
    ['X8', 'piped', refused(/"pipe" is neither a file nor a folder/, 'pending')],
    ['X11', 'a-pipe', refused(/a-pipe is not a file/, 'batch')],
    ['X13', 'empty', refused(/holds no file/, 'pending')],
    ['X13', 'nothing', well('empty')],
  ]
}

describe('bad payloads', () => {
  it('X2, X4, X5, X7, X8, X11, X13: each comes to its end with a sentence, and nothing gets out of its folder', async () => {
    const { home, root, folder } = useFolder()
    const given = { home, env: { FONDS_INGEST_FOLDERS: root } }
    const server = await startServer(given)
    const archive = archiveOverHttp(server.address)
    writeFileSync(join(root, 'letter.txt'), 'Dear all')
    const written = [...(await containers()), ...manifests(new URL(`file://${root}/letter.txt`).href)]
    for (const [, name, bytes] of written) writeFileSync(join(root, name), bytes)
    const cases = [
      ...written.map(([row, name, , outcome]) => [row, name, outcome] as const),
      ...folders(root),
    ]
    const batches = await Promise.all(cases.map(([, name]) => archive.submit(join(root, name))))

    const seven = await archive.post('ingest/submissions', {
      profile: 'default',
      submitter: 'ada',
      mode: 'add',
      payload: { url: `file://${root}/a.7z` },
    })
    expect(seven).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('7z is not unpacked here') },
    })

    const found: Line = {}
    const wanted: Line = {}
    for (const [i, [row, name, outcome]] of cases.entries()) {
      const what = `${row} ${name}`
      const batch = await archive.batchIs(batches[i]!, 'completed', 'failed')
      const [job] = await archive.jobsOf(batches[i]!)
      const detail = job && (await archive.get(`jobs/${job.job}`))
      found[what] = !detail
        ? { says: batch.message, in: 'batch' }
        : detail.state === 'failed'
          ? { says: detail.message, in: detail.failedIn }
          : { holds: await producerFiles(archive, detail.ark) }
      wanted[what] = 'says' in outcome ? { ...outcome, says: expect.stringMatching(outcome.says) } : outcome
    }
    expect(found).toEqual(wanted)
    expect(await stop(server)).toBe(0)
    expect(execFileSync('find', [folder, '-name', 'evil*']).toString()).toBe('')
    expect(await ask(['ingest', 'audit'], given)).toEqual([])
  })
})

const producerFiles = async (archive: ReturnType<typeof archiveOverHttp>, ark: string) => {
  const { listedFiles } = await archive.get(`object?id=${encodeURIComponent(ark)}`)
  return listedFiles
    .map(({ path }: Line) => path)
    .filter((path: string) => path.startsWith('producer/'))
    .map((path: string) => path.slice('producer/'.length))
}
