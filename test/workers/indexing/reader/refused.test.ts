import { appendFileSync, chmodSync, mkdirSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packed, warcinfo, warcRecord } from '../../../../packages/warc/test/make-warc.ts'
import { useReader } from '../read-bytes.ts'

/* What @fonds/warc refuses is in its own tests. */

describe('a file that fails gives no captures, but a code, a sentence and the place (W16, W35)', () => {
  const record = warcRecord()
  const member = packed(record)

  it.each<[string, Buffer[], { code: string; reason?: unknown; offset?: number }]>([
    ['of no bytes', [], { code: 'empty' }],
    ['of text', [Buffer.from('Not found\n')], { code: 'not-an-archive', offset: 0 }],
    ['cut within a member', [member, member.subarray(0, -9)], { code: 'truncated', offset: member.length }],
    [
      'without a URL',
      [warcRecord({ fields: { 'WARC-Target-URI': undefined } })],
      { code: 'corrupt', reason: /WARC-Target-URI/ },
    ],
    ['without a date', [warcRecord({ date: 'today' })], { code: 'corrupt', reason: /WARC-Date(?!.*today)/ }],
    [
      'without a date, behind another record',
      [record, warcRecord({ date: 'today' })],
      { code: 'corrupt', offset: record.length },
    ],
  ])('%s', async (_, parts, { reason = /./, ...failure }) => {
    expect(await useReader().readBytes(...parts)).toMatchObject({
      ...failure,
      reason: expect.stringMatching(reason as RegExp),
    })
  })

  it('that is not there', async () => {
    expect(await useReader().read()).toMatchObject({ code: 'not-found' })
  })

  it('that is a folder', async () => {
    const { path, read } = useReader()
    mkdirSync(path)
    expect(await read()).toMatchObject({ code: 'unreadable', reason: expect.stringContaining('no file') })
  })

  it.skipIf(process.getuid?.() === 0)('that may not be read, and says what to do', async () => {
    const { path, readBytes, read } = useReader()
    await readBytes(member)
    chmodSync(path, 0)
    expect(await read()).toMatchObject({
      code: 'unreadable',
      reason: expect.stringContaining('give the user that runs Fonds the right to'),
    })
  })

  it.each<[string, (path: string) => void]>([
    ['grows', (path) => appendFileSync(path, 'more')],
    ['vanishes', (path) => rmSync(path, { force: true })],
  ])('that %s while it is read', async (_, change) => {
    const { path, readBytes, read } = useReader()
    const large = warcRecord({ type: 'request', block: Buffer.alloc(10 * 1024 * 1024) })
    await readBytes(large, large, large)
    expect(await read(() => change(path))).toMatchObject({ code: 'growing' })
  })

  it('and harms no file that is read behind it (W35)', async () => {
    const reader = useReader()
    expect(await reader.readBytes(packed(warcinfo(), record).subarray(0, -9))).toMatchObject({
      code: 'truncated',
    })
    expect(await reader.readBytes(packed(warcinfo(), record))).toMatchObject({ summary: { captures: 1 } })
  })
})
