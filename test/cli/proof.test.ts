import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { noteText, parseNote } from '@fonds/tlog'
import { cosigned, cosigner, parseVerifierKey } from '@fonds/tlog/compute'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { sealAll } from '../app/proof/sealer.ts'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()
const seal = () => fonds.withSystem(({ eventStore }) => sealAll(fonds.home, eventStore))
const firstEvent = async () => (await fonds.run(['events', '--limit', '1'])).rows[0] as Record<string, string>

describe('proof', () => {
  beforeEach(async () => {
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 1), recorded('b', 2)) })
  })

  test('before anything is sealed: says so, exit code 1', async () => {
    for (const argv of [['key'], ['check'], ['of', 'x']]) {
      const { code, err } = await fonds.run(['proof', ...argv])
      expect([code, err]).toEqual([1, expect.stringContaining('the log is not sealed yet')])
    }
    const file = fonds.file('x.tlog-proof', 'x')
    const { code, err } = await fonds.run(['proof', 'verify', file])
    expect([code, err]).toEqual([2, expect.stringContaining('whose key is to be believed?')])
  })

  test('key: both public keys; as a policy for others', async () => {
    await seal()
    const { rows } = await fonds.run(['proof', 'key'])
    expect(rows.map(({ type }) => type)).toEqual(['ed25519', 'ml-dsa-44-cosignature'])
    const { out } = await fonds.run(['proof', 'key', '--policy'])
    expect(out).toBe(`${rows.map(({ key }) => `log ${key}\n`).join('')}quorum none\n`)
  })

  test('Q25: key --rotate: names new keys in the log, with who and why', async () => {
    const by = ['--actor', 'ada', '--reason', 'good order']
    expect(await fonds.run(['proof', 'key', '--rotate', ...by])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no Merkle tree'),
    })
    await seal()
    expect((await fonds.run(['proof', 'key', '--rotate', '--actor', 'ada'])).code).toBe(2)
    expect((await fonds.run(['proof', 'key', '--policy', ...by])).code).toBe(2)
    const before = (await fonds.run(['proof', 'key'])).rows.map(({ key }) => key)
    for (let times = 0; times < 2; times++)
      expect(await fonds.run(['proof', 'key', '--rotate', ...by])).toMatchObject({ code: 0 })
    const { rows } = await fonds.run(['events', '--stream', 'proof-keys'])
    expect(rows).toMatchObject([
      {
        type: 'TreeKeysReplaced',
        data: { earlier: before, reason: 'good order' },
        metadata: { actor: 'ada' },
      },
    ])
    // Until the sealer has taken them in use, these are the keys.
    expect((await fonds.run(['proof', 'key'])).rows.map(({ key }) => key)).toEqual(before)
  })

  test('of and verify: a file that needs nothing but the policy', async () => {
    await seal()
    const { id, stream, revision, type } = await firstEvent()
    const file = join(fonds.folder, 'a.tlog-proof')
    const made = await fonds.run(['proof', 'of', id!, '--output', file])
    expect(made).toMatchObject({ code: 0, rows: [{ file, index: '0', size: '2', stream, revision, type }] })
    const text = readFileSync(file, 'utf8')
    await fonds.run(['proof', 'of', stream!, revision!, '--output', file])
    expect(readFileSync(file, 'utf8')).toBe(text)
    const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
    const home = { env: { FONDS_HOME: join(fonds.folder, 'elsewhere') } }
    const { code, rows } = await fonds.run(['proof', 'verify', file, '--policy', policy], home)
    expect(code).toBe(0)
    expect(rows.filter(({ kind }) => kind === 'holds')).toHaveLength(2)
    expect(rows.map(({ kind }) => kind)).not.toContain('fails')
    const own = await fonds.run(['proof', 'verify', file], { terminal: 200 })
    expect(own.out).toContain(`holds: leaf 0 of 2 is event ${id}`)
    expect(own.out).toContain('not checked: that the keys are the right ones')

    writeFileSync(file, text.replace('index 0', 'index 1'))
    const wrong = await fonds.run(['proof', 'verify', file, '--policy', policy])
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('1 finding against') })
    writeFileSync(file, 'nothing')
    const none = await fonds.run(['proof', 'verify', file, '--policy', policy])
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('nothing is proven') })
    expect((await fonds.run(['proof', 'verify', `${file}x`])).code).toBe(2)
  })

  test('of: an event that is not sealed, or no revision', async () => {
    await seal()
    const { stream } = await firstEvent()
    expect(await fonds.run(['proof', 'of', stream!, '7'])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`revision 7 of ${stream} is not sealed`),
    })
    expect((await fonds.run(['proof', 'of', stream!, 'x'])).code).toBe(2)
  })

  test('check: all as sealed; then an edit by SQL is named, with exit code 1', async () => {
    await seal()
    const { stream } = await firstEvent()
    expect(await fonds.run(['proof', 'check'])).toMatchObject({ code: 0, rows: [{ same: 2, unsealed: 0 }] })
    const { out } = await fonds.run(['proof', 'check'], { terminal: 200 })
    expect(out).toMatch(
      /^2 events as sealed under archive.example\/log, and the tree has the signed root\.\n$/,
    )
    const db = new DatabaseSync(join(fonds.home, 'fonds.db'))
    db.exec('DROP TRIGGER events_never_change')
    db.exec(`UPDATE events SET data = replace(data, 'a', 'o') WHERE position = (SELECT min(position) FROM events e
      JOIN streams s ON s.id = e.stream_id WHERE s.name = '${stream}')`)
    db.close()
    const found = await fonds.run(['proof', 'check'])
    expect(found).toMatchObject({
      code: 1,
      rows: [{ kind: 'changed', stream, revision: '0', leaf: '0' }],
      err: expect.stringContaining('1 difference between the log and the tree'),
    })
    const shown = await fonds.run(['proof', 'check'], { terminal: 200 })
    expect(shown.out).toBe(
      `revision 0 of ${stream} is not what was sealed as leaf 0: its data was changed.\n`,
    )
    expect(shown.out).not.toContain('as sealed under')
  })

  test('export: a folder that proves itself to whoever has the policy; refused where the log was changed', async () => {
    await seal()
    const folder = join(fonds.folder, 'export')
    const made = await fonds.run(['proof', 'export', folder])
    expect(made).toMatchObject({ code: 0, rows: [{ folder, size: 2, events: 2, deleted: 0 }] })
    expect(readdirSync(folder)).toContain('verify.py')
    const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
    const { code, rows } = await fonds.run(['proof', 'verify', folder, '--policy', policy])
    expect([code, rows.at(-1)]).toEqual([
      0,
      { kind: 'holds', sentence: 'the place of 2 events in the tree, and the data and metadata of each' },
    ])
    const lines = join(folder, 'events.ndjson')
    writeFileSync(lines, readFileSync(lines, 'utf8').replace('"data":"{', '"data":"{ '))
    const changed = await fonds.run(['proof', 'verify', folder, '--policy', policy])
    expect(changed).toMatchObject({ code: 1, out: expect.stringMatching(/"fails","sentence":"leaf 0/) })

    expect(await fonds.run(['proof', 'export', folder])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not empty'),
    })
    expect((await fonds.run(['proof', 'export', `${folder}2`, '--since', 'yesterday'])).code).toBe(2)
    const late = await fonds.run(['proof', 'export', `${folder}2`, '--since', '2999-01-01T00:00:00+01:00'])
    expect(late).toMatchObject({ code: 0, rows: [{ events: 0, size: 2 }] })
    const db = new DatabaseSync(join(fonds.home, 'fonds.db'))
    db.exec("DROP TRIGGER events_never_change; UPDATE events SET metadata = replace(metadata, '{', '{ ')")
    db.close()
    const refused = await fonds.run(['proof', 'export', `${folder}3`])
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is not as leaf 0[\s\S]*proof check/),
    })
    expect(existsSync(`${folder}3`)).toBe(false)
  })

  test('Q5: of a thing, its newest event; with --all, a folder that shows that there are no more', async () => {
    await seal()
    const item = 'main/a'
    const stream = `fixity-${item}`
    const newest = await fonds.run(['proof', 'of', item, '--output', join(fonds.folder, 'a.tlog-proof')])
    expect(newest).toMatchObject({ code: 0, rows: [{ stream, size: '2' }] })
    const to = join(fonds.folder, 'a-proof')
    const shown = await fonds.run(['proof', 'of', item, '--all', '--output', to], { terminal: 400 })
    expect(shown).toMatchObject({ code: 0 })
    expect(shown.out).toContain(
      `${to} proves that ${stream} had 1 event and no other when archive.example/log signed 2 leaves: 2 entries from the last on show`,
    )
    expect(shown.out).toContain('It does not prove that what they say is true, nor that nothing else')
    const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
    const { code, rows } = await fonds.run(['proof', 'verify', to, '--policy', policy])
    expect([code, rows.map(({ sentence }) => sentence)]).toEqual([
      0,
      expect.arrayContaining([`${stream} had 1 event and no other when 2 leaves were signed`]),
    ])

    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a', 3)) })
    const both = ['proof', 'export', join(fonds.folder, 'both'), '--thing', item, '--thing', 'main/b']
    const exported = await fonds.run(both)
    expect(exported).toMatchObject({ code: 0, rows: [{ events: 2, unsealed: expect.any(Number) }] })
    expect(readFileSync(join(fonds.folder, 'both/export.json'), 'utf8')).toContain('"of":"things"')
    expect(await fonds.run([...both, '--since', '2026-12-01T00:00:00Z'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--thing and --since'),
    })
    const within = ['proof', 'export', fonds.folder, '--within']
    expect(await fonds.run(within)).toMatchObject({ code: 2, err: expect.stringContaining('--thing') })
    expect(await fonds.run([...within, '--thing', item])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is neither an OCFL object'),
    })
    fonds.file('0=ocfl_object_1.1', 'ocfl_object_1.1\n')
    expect(await fonds.run([...within, '--thing', item])).toMatchObject({
      code: 0,
      rows: [{ folder: join(fonds.folder, 'logs/fonds-proof'), events: 1 }],
    })
    const none = await fonds.run(['proof', 'of', 'main/nothing', '--all'])
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('nothing is known of main/nothing') })
    expect(await fonds.run(['proof', 'of', item, '0', '--all'])).toMatchObject({ code: 2 })
    expect(await fonds.run(['proof', 'of', 'main/nothing'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('nor is it of a thing'),
    })
  })

  test('witness: the keys to hand on, and the logs; export and of give the head that witnesses saw', async () => {
    await seal()
    const [{ key: logKey }] = (await fonds.run(['proof', 'key'])).rows as [Record<string, string>]
    const logs = fonds.file('logs', `log ${logKey}\n`)
    const env = { FONDS_WITNESS_LOGS: logs, FONDS_WITNESS_NAME: 'partner.example/w' }
    const unset = await fonds.run(['proof', 'witness'])
    expect(unset).toMatchObject({
      code: 2,
      err: expect.stringContaining('witnessLogs: a witness needs a file'),
    })
    const { rows } = await fonds.run(['proof', 'witness'], { env })
    const [{ keys }] = rows as unknown as [{ readonly keys: readonly string[] }]
    expect(rows).toMatchObject([{ origins: ['archive.example/log'], evidence: [] }])
    expect(keys.map((one) => parseVerifierKey(one).name)).toEqual(['partner.example/w', 'partner.example/w'])
    const shown = await fonds.run(['proof', 'witness'], { env, terminal: 200 })
    expect(shown.out).toContain(`witness w1 ${keys[0]} <this node>/witness\n`)
    expect(shown.out).toContain('It cosigns 1 log: archive.example/log.')

    const head = readFileSync(join(fonds.home, 'proof/checkpoint'), 'utf8')
    const signer = cosigner('w.example', generateKeyPairSync('ed25519').privateKey, () => 1)
    writeFileSync(join(fonds.home, 'proof/witnessed'), noteText(cosigned(parseNote(head), [signer])))
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('c', 3)) })
    await seal()
    const sizeOf = async (...options: string[]) =>
      (await fonds.run(['proof', 'export', join(fonds.folder, `x${options.length}`), ...options])).rows[0]
    expect(await sizeOf()).toMatchObject({ size: 2 })
    expect(await sizeOf('--newest')).toMatchObject({ size: 3 })
    const file = join(fonds.folder, 'x.tlog-proof')
    for (const [n, size] of [
      [0, '2'],
      [2, '3'],
    ] as const) {
      const { id } = (await fonds.run(['events'])).rows[n] as Record<string, string>
      expect((await fonds.run(['proof', 'of', id!, '--output', file])).rows).toMatchObject([{ size }])
    }
  })

  test('mirror: a copy over HTTP, which goes on and refuses a log that was put back', async () => {
    await seal()
    const policy = fonds.file('archive.policy', (await fonds.run(['proof', 'key', '--policy'])).out)
    const server = createServer((request, response) => {
      const file = join(fonds.home, request.url!)
      if (existsSync(file)) response.end(readFileSync(file))
      else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/proof`
    const copy = join(fonds.folder, 'copy')
    const mirror = (from = address) => fonds.run(['proof', 'mirror', from, copy, '--policy', policy])
    expect(await mirror()).toMatchObject({
      code: 0,
      rows: [{ size: '2', from: '0', origin: 'archive.example/log' }],
    })
    const older = readFileSync(join(fonds.home, 'proof/checkpoint'))
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('c', 3)) })
    await seal()
    expect(await mirror()).toMatchObject({ code: 0, rows: [{ size: '3', from: '2' }] })
    writeFileSync(join(fonds.home, 'proof/checkpoint'), older)
    expect(await mirror()).toMatchObject({
      code: 1,
      err: expect.stringMatching(/it shows 2 leaves, and showed 3 before[\s\S]*the log signed both/),
    })
    expect(readdirSync(copy).filter((name) => name.startsWith('refused-'))).toHaveLength(1)
    expect(await mirror('http://127.0.0.1:1')).toMatchObject({
      code: 3,
      err: expect.stringContaining('does not answer'),
    })
    expect((await fonds.run(['proof', 'mirror', address, copy, '--policy', `${policy}x`])).code).toBe(2)
  })

  test('a damaged tree and lost keys are said, and nothing else', async () => {
    await seal()
    writeFileSync(join(fonds.home, 'proof/tile/entries/000.p/2'), 'damaged')
    const damaged = await fonds.run(['proof', 'check'])
    expect(damaged).toMatchObject({ code: 1, out: '', err: expect.stringContaining('is damaged') })
    rmSync(join(fonds.home, 'proof-key'), { recursive: true })
    const { code, err } = await fonds.run(['proof', 'check'])
    expect([code, err]).toEqual([1, expect.stringContaining('the keys of the tree are not in')])
  })
})
