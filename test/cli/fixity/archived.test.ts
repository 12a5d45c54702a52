import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { System } from '#src/app/system.ts'
import { ensureTopics } from '#src/app/topics.ts'
import { askCommand } from '#src/cli/ask-command.ts'
import { checkSentences } from '#src/cli/fixity/check-sentences.ts'
import { estimateCheck } from '#src/cli/fixity/estimate.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { fixityReport } from '#src/projections/fixity/questions/report.ts'
import { reportText } from '#src/projections/fixity/questions/report-text.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { testSystem } from '../../app/archive.ts'
import { type Bucket, type S3Server, seedObject } from '../../fakes/s3-server.ts'
import { add, bucketHere, check, itemAt, seedWithWord } from './bucket-store.ts'

/* What is archived and was not read is called verified nowhere, and is no fault. */

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('archived objects', () => {
  let server: S3Server
  let bucket: Bucket
  let system: System
  beforeEach(async () => {
    ;({ server, bucket } = await bucketHere())
    system = await testSystem()
  })
  const put = (name: string, own: Parameters<typeof seedWithWord>[4] = {}) =>
    seedWithWord(bucket, `main/${name}`, name, name, { storageClass: 'GLACIER', ...own })
  const manifestOf = (...names: readonly string[]) =>
    seedObject(bucket, 'main/MD5SUMS', names.map((name) => `${md5(name)}  ${name}\n`).join(''))
  /** Keys whose bytes are asked for from now on. */
  const keysGot = (): readonly string[] => {
    const keys: string[] = []
    server.beforeEach(({ kind, key }) => void (kind === 'GetObject' && keys.push(key)))
    return keys
  }
  const counts = () => fixityReport(system.viewStore, system.clock.now()).stores[0]?.counts

  it('alone in a store: all unread, none verified, and no failure', async () => {
    put('one')
    put('two')
    manifestOf('one', 'two')
    await add(system)
    seedObject(bucket, 'main/MD5SUMS', '', { isDeleteMarker: true })
    const summary = await check(system, { prefix: 'o' })
    expect(summary).toMatchObject({ total: 1, checked: 1, unread: 1, verified: 0, baselined: 0, failed: 0 })
    expect(checkSentences(summary).join('\n')).toContain('1 item is archived and not read')
    await check(system, { item: 'two' })
    expect(counts()).toMatchObject({ unread: 2, verified: 0 })
    for (const name of ['one', 'two'])
      expect(itemAt(system, name)).toMatchObject({
        state: 'unread',
        lastVerified: null,
        because: 'All witnesses agree. It is archived (GLACIER), and was not read.',
      })
    const text = JSON.stringify(reportText(fixityReport(system.viewStore, system.clock.now())))
    expect(text).toContain('"unread":2')
    expect(text).toContain('"verified":0')
  })

  it('verified, then archived, restored and expired again: each check says what it did itself', async () => {
    put('one', { storageClass: 'STANDARD' })
    manifestOf('one')
    await add(system)
    expect(await check(system)).toMatchObject({ verified: 1, unread: 0 })
    const first = itemAt(system, 'one')?.lastVerified
    expect(first).not.toBeNull()

    put('one')
    expect(await check(system)).toMatchObject({ verified: 0, unread: 1, total: 2, checked: 2 })
    expect(itemAt(system, 'one')).toMatchObject({ state: 'unread', lastVerified: first })

    put('one', { restored: true })
    expect(await check(system)).toMatchObject({ verified: 1, unread: 0 })
    const second = itemAt(system, 'one')?.lastVerified
    expect(second! > first!).toBe(true)

    put('one')
    expect(await check(system)).toMatchObject({ verified: 0, unread: 1 })
    expect(itemAt(system, 'one')).toMatchObject({ state: 'unread', lastVerified: second })
  })

  it('were seen: none of them is a misread name', async () => {
    put('a\\b')
    put('a/b', { storageClass: 'STANDARD' })
    await ensureTopics(system)
    await add(system)
    const checksums = [{ algorithm: 'md5', value: md5('a\\b') }]
    await reportOnTopic(system, contentTopic, 'fonds://test', [
      { type: 'content.recorded', data: { store: 'archive-main', path: 'a\\b', checksums } },
    ])
    expect(await check(system)).toMatchObject({ unread: 1, baselined: 1 })
    const misread = { store: 'archive-main', path: 'a\\b', misread: 'backslash-name', file: 'a/b' }
    await expect(
      askCommand(system, 'fixity.withdraw-misread', misread, { actor: 'ada', reason: 'test' }),
    ).rejects.toThrow('a check has seen')
  })

  it('without any record get their first reading by the first check that can read them, as others do by add', async () => {
    put('one')
    put('two', { storageClass: 'STANDARD' })
    const got = keysGot()
    expect(await add(system)).toMatchObject({ baseline: 1, unreadable: 1 })
    // The listing tells the class: no request is made that is bound to be refused.
    expect(got).not.toContain('main/one')
    await check(system)
    expect(itemAt(system, 'one')).toMatchObject({ state: 'unverified', checksums: [] })

    put('one', { restored: true })
    expect(await check(system)).toMatchObject({ unverified: 1, baselined: 1, failed: 0 })
    expect(itemAt(system, 'one')).toMatchObject({
      state: 'unverified',
      because: 'It was read for the first time, and that is its record now: the next check compares it.',
      lastVerified: null,
    })
    const { checksums } = itemAt(system, 'one')!
    expect(checksums).toContainEqual({
      algorithm: 'sha-256',
      value: createHash('sha256').update('one').digest('hex'),
      basis: 'first-reading',
    })
    expect(await check(system)).toMatchObject({ unverified: 0, baselined: 2 })
    put('one')
    expect(await check(system)).toMatchObject({ unread: 1, baselined: 1 })
    expect(itemAt(system, 'one')).toMatchObject({ state: 'unread', checksums })
  })

  it('cost a HEAD a check once they were found archived, and no GET', async () => {
    put('one')
    manifestOf('one')
    await add(system)
    await check(system)
    const got = keysGot()
    const [estimate] = estimateCheck(system, {})
    expect(estimate?.requests).toMatchObject({ get: 1, head: 2 })
    await check(system)
    expect(got).toContain('main/MD5SUMS')
    expect(got).not.toContain('main/one')
    expect(itemAt(system, 'one')).toMatchObject({ state: 'unread' })
  })

  it('are accepted by nobody before they are read', async () => {
    put('one')
    manifestOf('one')
    await add(system)
    await check(system)
    await expect(
      askCommand(
        system,
        'fixity.accept',
        { store: 'archive-main', path: 'one' },
        { actor: 'ada', reason: 'x' },
      ),
    ).rejects.toThrow('did not read its content')
    expect(server.count('RestoreObject')).toBe(0)
  })
})
