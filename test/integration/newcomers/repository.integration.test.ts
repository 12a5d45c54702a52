import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { writeContent } from '../../e2e/archive.ts'
import { type Line, linesOf, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'
import { isAbsent, isValid, judgeRoot, listRoot } from '../judges/ocfl-judges.ts'
import { bagit, makeBags } from './inputs.ts'

/* A repository manager, by the command line: deposits of several kinds, one that fails, and what lies on the disk in the end. */

const by = ['--actor', 'eve', '--reason', 'the depositor sent it again']

describe.skipIf(isAbsent || 'absent' in bagit)('a repository manager', () => {
  it('hands deposits in, reads why one failed, has it tried again, and finds what was stored', async () => {
    const { home, root } = useFolder()
    const given = { home }
    const submit = async (...args: readonly string[]) => {
      const ran = await run(['ingest', 'submit', ...args, '--wait'], given)
      const lines = linesOf(ran)
      return { ...ran, jobs: lines.slice(0, -1), batch: lines.at(-1) as Line }
    }

    // One folder is one object; each folder of another is one, a bag among them.
    writeContent(root, 'letters/1.txt', 'Dear Ada,')
    const one = await submit(join(root, 'letters'), '--local-id', 'box-7', '--what', 'Letters to Ada')
    expect(one.batch).toMatchObject({ state: 'completed', jobs: 1, failed: 0 })
    const boxes = join(root, 'boxes')
    for (const box of ['a', 'b']) writeContent(boxes, `${box}/text.txt`, `text of ${box}`)
    makeBags(boxes, { bag: ['1.txt', '2.txt'] })
    writeContent(boxes, 'notes.md5', 'no folder')
    const astray = await submit(boxes, '--each-folder')
    expect([astray.code, astray.batch]).toMatchObject([1, { state: 'failed', jobs: 0 }])
    expect(astray.stderr).toContain('"notes.md5" is no folder')
    expect(astray.stderr).toContain('put it right, and submit it again')
    rmSync(join(boxes, 'notes.md5'))
    const each = await submit(boxes, '--each-folder')
    expect(each.batch).toMatchObject({ state: 'completed', jobs: 3, completed: 3 })

    // A manifest of which one file is not what was announced: the reason has both digests, and the command that goes on.
    const map = Buffer.from('a map of the north')
    const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    mkdirSync(join(root, 'maps'))
    writeFileSync(join(root, 'maps/north.tif'), 'another map')
    writeFileSync(
      join(root, 'map.checkm'),
      [
        '#%checkm_0.7',
        '#%profile | http://uc3.cdlib.org/registry/ingest/manifest/mrt-ingest-manifest',
        `${pathToFileURL(join(root, 'maps/north.tif'))} | sha-256 | ${sha(map)} | | | north.tif`,
        '#%eof',
        '',
      ].join('\n'),
    )
    const broken = await submit(join(root, 'map.checkm'), '--local-id', 'map-1', '--what', 'Map of the north')
    expect([broken.code, broken.batch]).toMatchObject([1, { state: 'failed', failed: 1 }])
    const [job] = broken.jobs
    const why = await run(['ingest', 'why', String(job.job), '--format', 'table'], given)
    expect(why.stdout).toContain(sha(map))
    expect(why.stdout).toContain(sha(Buffer.from('another map')))
    expect(why.stdout).toContain(`\`fonds do ingest.resume-job job=${job.job}\``)
    const report = await run(['ingest', 'report', String(broken.batch.number), '--format', 'txt'], given)
    expect(report.stdout).toMatch(/FAIL/)
    expect(await ask(['ingest', 'jobs', '--state', 'failed'], given)).toMatchObject([{ job: job.job }])

    // The right file arrives, and the job goes on where it failed; its depositor gets a report of that.
    writeFileSync(join(root, 'maps/north.tif'), map)
    await ask(['do', 'ingest.resume-job', `job=${job.job}`, ...by], given)
    await ask(['do', 'ingest.update-report', `batch=${broken.batch.number}`, ...by], given)
    // Whoever waits for another deposit does this work beside it, as far as it comes meanwhile.
    let late = 0
    for (let isCompleted = false; !isCompleted; ) {
      late++
      writeContent(root, `late-${late}/1.txt`, `late ${late}`)
      await submit(join(root, `late-${late}`))
      const [again] = await ask(['ingest', 'job', String(job.job)], given)
      isCompleted = again?.state === 'completed'
      expect(late).toBeLessThan(20)
    }

    // Found by its own name and by the depositor's; on the disk it is valid to programs that are not ours.
    const [object] = await ask(['ingest', 'object', 'map-1'], given)
    expect(object).toMatchObject({ localIds: ['map-1'], versions: [{ version: 1 }] })
    expect(await ask(['find', 'map-1'], given)).toContainEqual(
      expect.objectContaining({ command: expect.stringContaining('ingest object') }),
    )
    expect(await ask(['find', 'Map', 'north'], given)).not.toEqual([])
    expect(await ask(['ingest', 'audit'], given)).toEqual([])
    const storage = join(home, 'storage')
    expect(judgeRoot(storage)).toEqual(isValid)
    const listed = listRoot(storage)
    expect(listed.says).toContain(`Found ${5 + late} OCFL Objects`)
    expect(listed.says).toContain(object.object)

    // What is stored is under check like any other folder, and is found from its object.
    const [added] = await ask(['fixity', 'add', storage], given)
    expect(added).toMatchObject({ problems: 0, unusable: 0 })
    const [checked] = await ask(['fixity', 'check'], given)
    expect(checked).toMatchObject({ failed: 0, unverified: 0, wrong: [] })
    expect(checked.checked).toBe(checked.total)
  })
})
