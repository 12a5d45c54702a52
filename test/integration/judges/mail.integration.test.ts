import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '#src/async/system-clock.ts'
import { reports } from '#src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { addMillis, MINUTE } from '#src/domain/kernel/time.ts'
import { everything } from '../../e2e/crash/expectations.ts'
import { launch } from '../../e2e/run-fonds.ts'
import { ingestWorld, testFolder, until } from '../../workflows/ingest/ingest-world.ts'
import { server } from '../servers.ts'

/* Reports by mail, taken by a mail server that is not ours. */

const aiosmtpd = server('aiosmtpd')

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** It keeps what it takes; the envelope stands in its headers `X-MailFrom` and `X-RcptTo`. */
const startMailServer = async (port: number) => {
  const mailbox = join(testFolder(), 'mailbox')
  const args = ['-n', '-l', `127.0.0.1:${port}`, '-c', 'mail_server.RefusingMailbox', mailbox]
  launch('address' in aiosmtpd ? aiosmtpd.address : '', args, {
    PYTHONPATH: import.meta.dirname,
    PYTHONDONTWRITEBYTECODE: '1',
  })
  await until('the mail server answers', async () => ((await answers(port)) ? true : undefined))
  const folder = join(mailbox, 'new')
  return () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => resolve(true)).once('error', () => resolve(false))
    onTestFinished(() => void socket.destroy())
  })

const useWorld = async (port: number) => {
  const world = await ingestWorld({
    mailServer: `smtp://127.0.0.1:${port}`,
    mailFrom: 'fonds@archive.example',
    idleMinSeconds: 1,
    idleMaxSeconds: 1,
  })
  return {
    ...world,
    submitTo: async (...notifyTo: readonly string[]): Promise<string> => {
      const payload = { url: await world.file('a.txt', 'A'), type: 'file' }
      const id = await world.submit({ payload, notifyTo, description: { what: 'Briefe über Ada' } })
      await world.ended(id)
      return id
    },
    report: (id: string, mail: 'sent' | 'failed') =>
      until(`the mail is ${mail}`, () =>
        rowsIfFolded(world.system.viewStore, reports, { where: [is('batch', id), is('mail', mail)] }).at(0),
      ),
    told: async (type: string) =>
      (await everything(world.system)).filter((event) => event.type === type).map(({ data }) => data),
  }
}

describe.skipIf('absent' in aiosmtpd)('a report by mail', () => {
  it('comes once, with sender and recipients in its envelope, and with its text', async () => {
    const port = await freePort()
    const mails = await startMailServer(port)
    const world = await useWorld(port)
    const id = await world.submitTo('ada@example.org', 'bob@example.org')
    await world.report(id, 'sent')
    expect(mails()).toHaveLength(1)
    const [mail] = mails()
    for (const part of [
      'X-MailFrom: fonds@archive.example',
      'X-RcptTo: ada@example.org, bob@example.org',
      'To: ada@example.org, bob@example.org',
      `Message-ID: <${id}.report1@fonds.invalid>`,
      'filename=completed.csv',
    ])
      expect(mail).toContain(part)
    const told = mail!.replace(/=\r?\n/g, '')
    expect(told).toContain(`Submission: ${id}`)
    expect(told).toContain('Of: Briefe =C3=BCber Ada')
    expect(told).toMatch(/completed: 1\s+failed: 0/)
  })

  it('goes to the others where one recipient is refused, and is known to have gone to them alone', async () => {
    const port = await freePort()
    const mails = await startMailServer(port)
    const world = await useWorld(port)
    const id = await world.submitTo('nobody@example.org', 'ada@example.org')
    const saved = await world.report(id, 'sent')
    expect(mails()).toHaveLength(1)
    expect(mails()[0]).toContain('X-RcptTo: ada@example.org\n')
    const refused = [{ to: 'nobody@example.org', reason: '550 5.1.1 no such mailbox' }]
    expect(await world.told('MailSent')).toMatchObject([{ to: ['ada@example.org'], refused }])
    expect(saved.error).toBe('not to nobody@example.org: 550 5.1.1 no such mailbox')
  })

  it('is not tried again where every recipient is refused', async () => {
    const port = await freePort()
    const mails = await startMailServer(port)
    const world = await useWorld(port)
    const id = await world.submitTo('nobody@example.org')
    expect((await world.report(id, 'failed')).error).toBe('nobody@example.org: 550 5.1.1 no such mailbox')
    expect(world.batch(id)?.task).toBeNull()
    expect(mails()).toEqual([])
  })

  it('comes when its server is back, once (ingest X20)', async () => {
    const port = await freePort()
    const world = await useWorld(port)
    const id = await world.submitTo('ada@example.org')
    await until('the mail is put off', async () =>
      (await world.told('MailFailed')).length > 0 ? true : undefined,
    )
    expect(world.batch(id)?.state).toBe('completed')
    const mails = await startMailServer(port)
    const now = systemClock.now
    vi.spyOn(systemClock, 'now').mockImplementation(() => addMillis(now(), 6 * MINUTE))
    onTestFinished(() => void vi.restoreAllMocks())
    await world.report(id, 'sent')
    expect(mails()).toHaveLength(1)
    expect(await world.told('MailSent')).toHaveLength(1)
  })
})
