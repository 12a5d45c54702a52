import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { reports } from '#src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { depositorReport } from '#src/projections/ingest/questions/report.ts'
import { reportLinesOf } from '#src/projections/ingest/questions/report-text.ts'
import { reportLines } from '#src/projections/ingest/questions/reports.ts'
import { filesWith } from '../../files-with.ts'
import { ingestWorld, manifest, until } from './ingest-world.ts'

/** A mail server as far as these tests need one: it keeps what it takes. `answerTo`: instead of 250. */
const mailServer = async (answerTo: (line: string) => string | undefined = () => undefined) => {
  const mails: string[] = []
  const serve = (socket: Socket) => {
    let data: string[] | undefined
    let rest = ''
    const say = (text: string) => socket.write(`${text}\r\n`)
    say('220 mail.example')
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines)
        if (data && line === '.') {
          const answer = answerTo('.')
          if (!answer) mails.push(data.join('\n'))
          data = undefined
          say(answer ?? '250 taken')
        } else if (data) data.push(line)
        else if (line === 'DATA') {
          data = []
          say('354 go on')
        } else say(answerTo(line) ?? (line === 'QUIT' ? '221 bye' : '250 well'))
    })
    socket.on('error', () => {})
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { mails, address: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const settingsOf = (address: string) => ({ mailServer: address, mailFrom: 'fonds@archive.example' })

describe('a report', () => {
  it('is mailed once to whom the submission names, with what became of its jobs', async () => {
    const server = await mailServer()
    const world = await ingestWorld(settingsOf(server.address))
    const rows = [[await world.file('one.txt', 'one')], [`${await world.file('two.txt', 'two')}-away`]]
    const url = await world.file('batch.checkm', manifest('mrt-single-file-batch-manifest', rows))
    const id = await world.submit({
      payload: { url },
      description: { what: 'Two letters' },
      notifyTo: ['ada@example.org', 'bob@example.org'],
    })
    await world.ended(id)
    const saved = await until('the mail is sent', () =>
      rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', 'sent')] }).at(0),
    )
    expect(saved).toMatchObject({ report: 1, kind: 'first' })
    expect(server.mails).toHaveLength(1)
    const [mail] = server.mails
    for (const part of [
      'From: fonds@archive.example',
      'To: ada@example.org, bob@example.org',
      `Submission: ${id}`,
    ])
      expect(mail).toContain(part)
    expect(mail).toContain('Subject: FAIL: Two letters')
    expect(mail).toMatch(/completed: 1\nfailed: 1/)
    expect(mail).toContain('filename=failed.csv')
  })

  it('is saved though nobody can be written to; its mail is tried again later (X20)', async () => {
    const world = await ingestWorld(settingsOf('smtp://127.0.0.1:9'))
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const id = await world.submit({ payload, notifyTo: ['ada@example.org'] })
    expect(await world.ended(id)).toMatchObject({ state: 'completed', reports: 1 })
    const waiting = await until('the mail is put off', () => {
      const batch = world.batch(id)
      return batch?.task === 'mail' && batch.holder === null && batch.available ? batch : undefined
    })
    expect(waiting.available! > new Date().toISOString()).toBe(true)
  })

  it('goes to the others where one recipient is refused; who was, and why, is in the report (X20)', async () => {
    const server = await mailServer((line) => (line.includes('bob') ? '550 5.1.1 gone away' : undefined))
    const world = await ingestWorld(settingsOf(server.address))
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const id = await world.submit({ payload, notifyTo: ['ada@example.org', 'bob@example.org'] })
    await world.ended(id)
    const saved = await until('the mail is sent', () =>
      rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', 'sent')] }).at(0),
    )
    expect(server.mails).toHaveLength(1)
    expect(saved.error).toBe('not to bob@example.org: 550 5.1.1 gone away')
    const views = world.system.viewStore
    expect(reportLines(views, { limit: 10 })).toMatchObject([{ mail: 'sent', error: saved.error }])
    const told = reportLinesOf(depositorReport(views, world.batch(id)!, { limit: 10 })!)
    expect(told).toContain(`Mail        its mail was sent on ${saved.mailedAt}, but ${saved.error}`)
  })

  it('Q45 goes to recipients whom the log has by reference, and what the server quotes of them is by reference', async () => {
    const answer = '550 5.1.1 <bob@example.org> is gone'
    const server = await mailServer((line) =>
      line.startsWith('RCPT') && line.includes('bob') ? answer : undefined,
    )
    const world = await ingestWorld({ ...settingsOf(server.address), personalValues: 'on' })
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const submitter = 'Ada Brandt of Ghent'
    const id = await world.submit({ payload, submitter, notifyTo: ['ada@example.org', 'bob@example.org'] })
    await world.ended(id)
    const saved = await until('the mail is sent', () =>
      rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', 'sent')] }).at(0),
    )
    expect(server.mails).toHaveLength(1)
    for (const part of ['To: ada@example.org', `By: ${submitter}`]) expect(server.mails[0]).toContain(part)
    expect(saved.error).toMatch(/^not to personal:[\w.-]+@mail: 550 5.1.1 <personal:[\w.-]+@mail> is gone$/)
    for (const text of [submitter, 'ada@example.org', 'bob@example.org'])
      expect(filesWith(world.system.config.home, text)).toEqual([])
  })

  it.each([
    ['Q45 is not sent to erased recipients, and says so', true],
    ['Q45 is not sent to whom a typed reference stood for', false],
  ])('%s', async (_, isOurs) => {
    const server = await mailServer()
    const world = await ingestWorld({ ...settingsOf(server.address), personalValues: 'on' })
    const { personal, clock } = world.system
    const [reference] = await orThrow(personal.seal(['ada@example.org']))
    if (isOurs) await orThrow(personal.erase([reference!], clock.now()))
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const id = await world.submit({ payload, notifyTo: [reference!] }, isOurs)
    await world.ended(id)
    const saved = await until('the mail is given up', () =>
      rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', 'failed')] }).at(0),
    )
    expect(saved.error).toBe('the addresses that it would go to are erased, or are none')
    expect(server.mails).toEqual([])
  })

  it.each([
    ['is not sent again once it was refused', 'RCPT', '550 no such mailbox'],
    ['is not sent again once it was refused whole', '.', '554 no mail of yours'],
  ])('%s', async (_, at, answer) => {
    const server = await mailServer((line) => (line.startsWith(at) ? answer : undefined))
    const world = await ingestWorld(settingsOf(server.address))
    const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
    const id = await world.submit({ payload, notifyTo: ['ada@example.org'] })
    await world.ended(id)
    const saved = await until('the mail failed', () =>
      rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', 'failed')] }).at(0),
    )
    expect(saved.error).toContain(answer.slice(4))
    expect(world.batch(id)?.task).toBeNull()
  })
})

it('a payload that cannot be read is told by mail, and so is one that is queued where the profile wants it', async () => {
  const server = await mailServer()
  const world = await ingestWorld(settingsOf(server.address))
  const url = await world.file('batch.checkm', manifest('mrt-batch-manifest', []))
  await world.submit({ payload: { url, name: 'Nothing' }, notifyTo: ['ada@example.org'] })
  await until('it is told', () => (server.mails.length === 1 ? true : undefined))
  expect(server.mails[0]).toContain('Subject: FAIL: Nothing')
  expect(server.mails[0]).toContain('It cannot be taken in')
})
