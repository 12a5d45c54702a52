import { describe, expect, it } from 'vitest'
import { submitted } from '../../ingest-submitted.ts'
import { dropped, formBytes, formType, type Part, send, sha256, url, who } from '../ingest-forms.ts'
import { startServer } from '../server.ts'

describe('a form that is refused', () => {
  it.each<readonly [string, readonly Part[], string, string]>([
    ['a field that there is not', [['colour', 'red']], 'colour', 'is no field of a submission'],
    ['a wrong value', [['mode', 'replace']], 'mode', 'wants'],
    ['an ARK that is none', [['primaryIdentifier', 'doi:1']], 'primaryIdentifier', 'wants ARK'],
    [
      'a field twice',
      [
        ['title', 'a'],
        ['what', 'b'],
      ],
      'what',
      'is given twice',
    ],
    ['a missing file', [['file', 'text']], 'file', 'is no field'],
    ['nothing to take in', [], 'file', 'send at least one file'],
    ['another file field', [['scan', 'x', 'a.txt']], 'scan', 'files are sent as the field file'],
    ['a file without a name', [['file', 'x', '']], 'file', 'has no name'],
    ['a name that leads out', [['file', 'x', '../a.txt']], 'file', 'leads out of the folder'],
    [
      'one name twice',
      [
        ['file', 'x', 'a.txt'],
        ['file', 'y', 'a.txt'],
      ],
      'file',
      'two are named',
    ],
    [
      'a digest of other bytes',
      [
        ['file', 'x', 'a.txt'],
        ['digestType', 'sha-256'],
        ['digestValue', sha256('y')],
      ],
      'digestValue',
      'send the file again',
    ],
    [
      'half a digest',
      [
        ['digestType', 'md5'],
        ['file', 'x', 'a.txt'],
      ],
      'digestValue',
      'give both',
    ],
    [
      'another size',
      [
        ['size', '5'],
        ['file', 'x', 'a.txt'],
      ],
      'size',
      '1 bytes came',
    ],
    ['7z', [['file', 'x', 'a.7z']], 'payload.type', '7z is not unpacked here'],
    [
      'several where one is wanted',
      [
        ['type', 'object-manifest'],
        ['file', 'x', 'a.txt'],
        ['file', 'y', 'b.txt'],
      ],
      'type',
      'is manifest, which is one file, and 2 came',
    ],
    [
      'several containers as one bag',
      [
        ['type', 'bag'],
        ['file', 'x', 'a.zip'],
        ['file', 'y', 'b.zip'],
      ],
      'type',
      'is bag, and there is no bagit.txt, but 2 containers, "a.zip"; "b.zip": a container is a submission of its own',
    ],
    [
      'a file and a url',
      [
        ['url', 'https://a.example/'],
        ['file', 'x', 'a.txt'],
      ],
      'url',
      'send one of them',
    ],
  ])('X1: %s is refused by name, and nothing is kept', async (_, parts, path, says) => {
    const server = await startServer()
    const { status, body } = await send(server, [...who, ...parts])
    expect([status, body.code, body.path]).toEqual([400, 'wrong-field', path])
    expect(body.detail).toContain(says)
    expect(dropped(server.system)).toEqual(['.coming'])
    expect(await submitted(server.system)).toEqual([])
  })

  it('X1: an unknown profile is refused before the files have come, and a form that is none too', async () => {
    const server = await startServer()
    expect(
      await send(server, [
        ['profile', 'letters'],
        ['file', 'x', 'a.txt'],
      ]),
    ).toMatchObject({
      status: 400,
      body: { code: 'unknown-profile', path: 'profile' },
    })
    const cut = formBytes([...who, ['file', 'x', 'a.txt']]).subarray(0, -20)
    const headers = { 'content-type': formType }
    expect(await server.request({ method: 'POST', url, payload: cut, headers })).toMatchObject({
      status: 400,
      body: { code: 'bad-form' },
    })
    const bare = { 'content-type': 'multipart/form-data' }
    expect(await server.request({ method: 'POST', url, payload: cut, headers: bare })).toMatchObject({
      status: 400,
      body: { code: 'bad-form' },
    })
    expect(dropped(server.system)).toEqual(['.coming'])
  })

  it.each<readonly [string, Part]>([
    ['title', ['title', Buffer.from([0x4c, 0xe9])]],
    ['file', ['file', 'x', 'L\uFFFD.txt']],
  ])('X8: is refused where it is no UTF-8, and %s is named', async (path, part) => {
    const server = await startServer()
    expect(await send(server, [...who, part])).toMatchObject({
      status: 400,
      body: { code: 'not-utf8', path },
    })
    expect(await submitted(server.system)).toEqual([])
  })

  it('X8: is refused where the name of a file is no UTF-8', async () => {
    const server = await startServer()
    const payload = formBytes([...who, ['file', 'x', 'L?.txt']])
    payload[payload.indexOf('L?') + 1] = 0xe9
    const sent = await server.request({ method: 'POST', url, payload, headers: { 'content-type': formType } })
    expect(sent).toMatchObject({ status: 400, body: { code: 'not-utf8', path: 'file' } })
    expect(dropped(server.system)).toEqual(['.coming'])
  })

  it('is refused when its files are larger than may be sent, by what is said and by what comes', async () => {
    const server = await startServer({ settings: { ingestUploadBytes: 1000 } })
    const parts: readonly Part[] = [...who, ['file', 'x'.repeat(600), 'a'], ['file', 'x'.repeat(600), 'b']]
    expect(await send(server, parts)).toMatchObject({
      status: 413,
      body: { code: 'too-many-bytes', path: 'file' },
    })
    const large = Buffer.alloc(11 * 1024 * 1024)
    expect(await send(server, [['file', large, 'a']])).toMatchObject({
      status: 413,
      body: { code: 'too-large' },
    })
    expect(dropped(server.system)).not.toContainEqual(expect.stringContaining('/'))
    expect(await submitted(server.system)).toEqual([])
  })
})
