import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startServer, stop, until, useFolder } from '../../e2e/run-fonds.ts'
import { ask, run } from '../../e2e/run-here.ts'
import { aiosmtpd, bagit, makeBags, startMailServer } from './inputs.ts'

/* A preservation officer, by the command line: bags are added and checked, one is damaged, people learn of it and settle it. */

const by = ['--actor', 'ada', '--reason', 'the desk is hers']

describe.skipIf('absent' in bagit || 'absent' in aiosmtpd)('a preservation officer', () => {
  it('learns what failed, has it settled, and prints who can rely on what', async () => {
    const { folder, home, root } = useFolder()
    const given = { home }
    const mail = await startMailServer(folder)
    const set = (name: string, value: string) => ask(['settings', 'set', name, value, ...by], given)

    // Bags of another program's: the manifests are the record.
    makeBags(root, { letters: ['01.txt', '02.txt', '03.txt'], photos: ['p1.tif', 'p2.tif'] })
    const [added] = await ask(['fixity', 'add', root, '--store', 'archive'], given)
    expect(added).toMatchObject({ store: 'archive', problems: 0, bags: { complete: 2, incomplete: 0 } })
    const [checked] = await ask(['fixity', 'check'], given)
    expect(checked).toMatchObject({ failed: 0, wrong: [], bags: { valid: 2, notValid: 0, notProven: 0 } })

    // A byte is damaged: the check names path, cause and last good day, and the command that says more.
    const damaged = join(root, 'letters/data/02.txt')
    const good = readFileSync(damaged)
    writeFileSync(damaged, `X${good.subarray(1)}`)
    const failed = await run(['fixity', 'check', 'archive'], given)
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.stdout)).toMatchObject({
      failed: 1,
      bags: { valid: 1, notValid: 1 },
      wrong: [
        {
          path: 'letters/data/02.txt',
          cause: expect.stringContaining('The bytes are not as recorded'),
          lastVerified: expect.stringMatching(/^\d{4}-/),
        },
      ],
    })
    expect(failed.stderr).toContain('1 not as recorded, 1 bag that is not valid')
    expect(failed.stderr).toContain('`fonds fixity findings`')
    const [list] = await ask(['fixity', 'findings'], given)
    expect(list.findings).toMatchObject([{ store: 'archive', path: 'letters/data/02.txt' }])
    const item = await run(['fixity', 'item', 'archive', 'letters/data/02.txt', '--format', 'table'], given)
    expect(item.stdout).toContain('1 check: SUCCESS')
    expect(item.stdout).toContain(
      '`fonds do fixity.resolve store=archive path=letters/data/02.txt how=…` settles it',
    )
    const found = await ask(['find', 'letters/data/02.txt'], given)
    expect(found).toMatchObject([{ id: 'archive/letters/data/02.txt', note: 'failed' }])

    // Mails: to the desk of all, to a person of what is hers; short subjects, and links.
    await set('mailServer', mail.address)
    await set('mailFrom', 'fonds@archive.example')
    await set('noticesMail', 'desk@archive.example')
    await set('noticesAfterSeconds', '1')
    await set('publicUrl', 'https://fonds.example')
    await set('reports', 'daily to=boss@archive.example store=archive')
    const server = await startServer(given)
    const mailTo = (to: string, subject: string | RegExp) =>
      until(`a mail to ${to}: ${subject}`, () =>
        mail.mails().find((one) => one.includes(`X-RcptTo: ${to}`) && one.match(subject) !== null),
      )
    const notice = await mailTo('desk@archive.example', 'findings?')
    expect(notice).toMatch(/^Subject: Fonds: 1 finding of archive waits: letters\/data\/02.txt$/m)
    expect(notice).toContain('https://fonds.example/fixity/item')
    await ask(['do', 'fixity.assign', 'path=letters/data/02.txt', 'to=bob@archive.example', ...by], given)
    const his = await mailTo('bob@archive.example', 'yours')
    expect(his).toMatch(/^Subject: Fonds: yours to settle: archive\/letters\/data\/02.txt$/m)

    // The file is put back, and the finding settled with a reason: it is read again.
    writeFileSync(damaged, good)
    const settle = ['do', 'fixity.resolve', 'path=letters/data/02.txt', 'how=repaired']
    await ask([...settle, '--actor', 'bob', '--reason', 'restored from tape'], given)
    await until('it is verified', async () => {
      const [one] = await ask(['fixity', 'item', 'archive', 'letters/data/02.txt'], given)
      return one.state === 'verified'
    })
    await mailTo('desk@archive.example', 'no finding of store archive is open')
    const history = await ask(['history', 'archive/letters/data/02.txt'], given)
    expect(history).toContainEqual(
      expect.objectContaining({
        type: 'ResolutionClosed',
        metadata: expect.objectContaining({ actor: 'bob' }),
        data: expect.objectContaining({ how: 'repaired', reason: 'restored from tape' }),
      }),
    )

    // A stray file makes no finding, and its bag is not valid: doctor and mails name it.
    const stray = join(root, 'photos/data/stray.txt')
    writeFileSync(stray, 'stray')
    expect((await run(['fixity', 'check', 'archive'], given)).code).toBe(1)
    await mailTo('desk@archive.example', '1 bag of archive is not valid: photos: It is not complete')
    const doctor = await ask(['doctor'], given)
    expect(doctor).toContainEqual(
      expect.objectContaining({ status: 'warn', says: expect.stringContaining('photos/data/stray.txt') }),
    )
    const certificate = async (bag: string) => {
      const file = join(folder, `${bag}.html`)
      await run(['fixity', 'bag', 'archive', bag, '--html', file], given)
      return readFileSync(file, 'utf8')
    }
    expect(await certificate('photos')).toContain('is not valid')
    expect(await certificate('letters')).toMatch(/letters.*is valid/s)
    rmSync(stray)
    expect((await run(['fixity', 'check', 'archive'], given)).code).toBe(0)
    expect(await certificate('photos')).not.toContain('is not valid')
    await until('the report is scheduled', async () => {
      const scheduled = await ask(['events', '--type', 'ReportScheduled'], given)
      return scheduled.length > 0
    })
    expect(await stop(server)).toBe(0)

    // The day ends: the report comes by itself, and is listed.
    const tomorrow = {
      ...given,
      env: { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-ahead.mjs')}`, DAYS_AHEAD: '1' },
    }
    await startServer(tomorrow)
    const report = await mailTo('boss@archive.example', 'Subject: Fonds: fixity of archive')
    expect(report).toMatch(/^Subject: Fonds: fixity of archive, \d{4}-\d\d-\d\d/m)
    expect(report).toContain('filename=fixity-archive-')
    await until('it is listed', async () => {
      const sent = await ask(['fixity', 'reports'], given)
      return sent.length === 1 && JSON.stringify(sent).includes('boss@archive.example')
    })
  })
})
