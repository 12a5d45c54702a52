import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, launch, startServer, until, useFolder } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'

/* Notices by mail, taken by a mail server that is not ours, across a kill. */

const aiosmtpd = server('aiosmtpd')

const freePort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe.skipIf('absent' in aiosmtpd)('a notice by mail', () => {
  it('comes once, stays away after a kill, and says when it is over', async () => {
    const { home, folder } = useFolder()
    const port = await freePort()
    const mailbox = join(folder, 'mailbox')
    const env = {
      FONDS_MAIL_SERVER: `smtp://127.0.0.1:${port}`,
      FONDS_MAIL_FROM: 'fonds@archive.example',
      FONDS_NOTICES_MAIL: 'ada@archive.example, nobody@archive.example',
      FONDS_NOTICES_AFTER_SECONDS: '1',
    }
    const given = { home, env }
    const mails = () => {
      const box = join(mailbox, 'new')
      return readdirSync(box).map((name) => readFileSync(join(box, name), 'utf8'))
    }
    const by = ['--actor', 'ada', '--reason', 'the roof leaks']
    const first = await startServer(given)
    await ask(['do', 'ingest.hold-collection', 'collection=maps', ...by], given)
    // Nobody takes mail yet: it is sent once somebody does.
    await first.says('a notice was not accepted')
    launch(
      'address' in aiosmtpd ? aiosmtpd.address : '',
      ['-n', '-l', `127.0.0.1:${port}`, '-c', 'mail_server.RefusingMailbox', mailbox],
      { PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
    )
    const [mail = ''] = await until('a mail comes', () => {
      try {
        const all = mails()
        return all.length > 0 && all
      } catch {
        return undefined
      }
    })
    expect(mail).toContain('X-RcptTo: ada@archive.example')
    expect(mail).toMatch(/^Message-ID: <[0-9a-f-]{36}@notices\.fonds>$/m)
    expect(mail).toContain('release-collection')
    await until('it is recorded', async () => {
      const told = await ask(['events', '--stream', 'notice-mail'], given)
      return told.length > 0
    })
    first.child.kill('SIGKILL')
    await first.exit
    await startServer(given)
    await ask(['do', 'ingest.release-collection', 'collection=maps', ...by], given)
    await until('a second mail comes', () => mails().length > 1)
    const all = mails()
    expect(all).toHaveLength(2)
    expect(all.filter((one) => one.includes('over: hold/collection:maps'))).toHaveLength(1)
  })
})
