import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeContent } from '../../e2e/archive.ts'
import { type Line, run as start, startServer, stop, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'

/* An administrator, by the command line: first contact, settings, tokens, a backup that is put back, views that prove themselves. */

const by = ['--actor', 'sys', '--reason', 'the new machine']

describe('an administrator', () => {
  it('starts on nothing, sets what is needed, keeps a copy, and puts it back', async () => {
    const { folder, home, root } = useFolder()
    const given = { home }
    const doctor = async (): Promise<readonly Line[]> => ask(['doctor'], given)
    // Work may give back a claim after its views were waited for: they are behind by that, until somebody folds it.
    const worries = async () =>
      (await doctor())
        .filter(({ status, check }) => status !== 'ok' && check !== 'views')
        .map(({ check }) => check)

    // First contact: what to type, and nothing made by asking. The commands in it are taken as they stand.
    const first = await start([], given)
    expect(first.code).toBe(2)
    expect(first.stderr).toContain('fonds fixity add /srv/archive')
    expect(first.stderr.trimEnd().split('\n').length).toBeLessThan(25)
    // An empty home is well, but for the copy that nobody made.
    expect(await worries()).toEqual(['backup'])

    // Work, and views that are up to date behind it.
    writeContent(root, 'letters/1.txt', 'Dear Ada,')
    await ask(['fixity', 'add', root, '--store', 'archive'], given)
    await ask(['ingest', 'submit', join(root, 'letters'), '--local-id', 'box-7', '--wait'], given)
    expect(await worries()).toEqual(['backup'])

    // Settings: of the log, with who and why; a wrong one is named with what it wants.
    await ask(['settings', 'set', 'publicUrl', 'https://fonds.example', ...by], given)
    const settings = await ask(['settings', 'list'], given)
    expect(JSON.stringify(settings)).toMatch(/publicUrl.*https:\/\/fonds\.example/)
    const short = await start(['start', '--port', '0'], { ...given, env: { FONDS_TOKEN: 'short' } })
    expect(short.code).toBe(2)
    expect(short.stderr).toContain('token: wants token of 16 characters or more')
    expect(short.stderr).not.toContain('"short"')
    const [token, reading] = ['a-token-of-enough-letters', 'another-one-that-may-read']
    const server = await startServer({ ...given, env: { FONDS_TOKEN: token, FONDS_READ_TOKEN: reading } })
    const get = (path: string, bearer?: string) =>
      fetch(
        `${server.address}${path}`,
        bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } },
      )
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/metrics')).status).toBe(401)
    const metrics = await (await get('/metrics', reading)).text()
    expect(metrics).toContain('fonds_fixity_items{')
    expect(metrics).not.toMatch(/nodejs_active_\w+_total/)
    const pause = await fetch(`${server.address}/api/v1/commands/ingest.pause`, {
      method: 'POST',
      headers: { authorization: `Bearer ${reading}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: {}, actor: 'sys', reason: 'to see' }),
    })
    expect([pause.status, ((await pause.json()) as Line).code]).toEqual([403, 'read-only'])

    // A copy while it runs, checked without Fonds and by it; doctor knows of it.
    const copy = join(folder, 'copy')
    await ask(['backup', copy], given)
    expect((await run(['backup', '--verify', copy], given)).code).toBe(0)
    expect(readFileSync(join(copy, 'SHA256SUMS'), 'utf8')).toContain('fonds.db')
    expect(await worries()).toEqual([])
    expect(await stop(server)).toBe(0)

    // The home is lost. The copy is put back: what was known is known, what was stored is there, and views prove themselves.
    const before = await ask(['query', 'ingest-jobs', '--columns', 'job,state,ark'], given)
    rmSync(home, { recursive: true })
    cpSync(copy, home, { recursive: true })
    const proof = await ask(['rebuild', '--all', '--verify'], given)
    expect(proof.length).toBeGreaterThanOrEqual(8)
    for (const { differences } of proof) expect(differences).toEqual([])
    expect(await ask(['query', 'ingest-jobs', '--columns', 'job,state,ark'], given)).toEqual(before)
    expect(await ask(['ingest', 'compare-storage'], given)).not.toContainEqual(
      expect.objectContaining({ rule: 'storage-differs' }),
    )
    const [checked] = await ask(['fixity', 'check'], given)
    expect(checked).toMatchObject({ checked: 1, failed: 0 })
    expect(await worries()).toEqual(['backup'])
    expect(readdirSync(join(home, 'storage'))).not.toEqual([])
  })
})
