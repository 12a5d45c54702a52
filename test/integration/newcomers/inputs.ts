import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../../infra/local/kafka/free-port.ts'
import { launch } from '../../e2e/run-fonds.ts'
import type { Found } from '../discovery.ts'
import { server } from '../servers.ts'

/* What newcomers bring along, made with programs that are not ours. */

export const bagit = server('bagit')
export const warcio = server('cdxj-indexer')
export const aiosmtpd = server('aiosmtpd')

const pythonOf = (found: Found): string => join(dirname('address' in found ? found.address : ''), 'python')

const make = (found: Found, script: string, input: unknown): string =>
  execFileSync(pythonOf(found), [join(import.meta.dirname, script)], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  })

/** Bags by bagit.py; each file of their payload holds its own name. Throws if bagit.py does not hold one for valid. */
export const makeBags = (root: string, bags: Readonly<Record<string, readonly string[]>>): void => {
  const wanted = Object.entries(bags).map(([name, names]) => ({
    folder: join(root, name),
    names,
    algorithms: ['sha256'],
  }))
  const verdicts = make(bagit, '../judges/make-bags.py', wanted).trim().split('\n')
  if (verdicts.some((verdict) => verdict !== 'valid')) throw new Error(verdicts.join())
}

/** URL, time, body, media type and status line. */
export type Capture = readonly [url: string, date: string, body: string, kind: string, status: string]

/** WARC files by warcio, closed an hour ago. */
export const makeWarcs = (folder: string, warcs: Readonly<Record<string, readonly Capture[]>>): void => {
  mkdirSync(folder, { recursive: true })
  const wanted = Object.entries(warcs).map(([name, captures]) => ({ file: join(folder, name), captures }))
  make(warcio, 'make-warcs.py', wanted)
  for (const { file } of wanted) anHourOld(file)
}

/** The file ends within a record, as after a crash of the harvester. */
export const cutShort = (file: string, part: number): void => {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * part)))
  anHourOld(file)
}

const anHourOld = (file: string): void => {
  const closed = new Date(Date.now() - 3_600_000)
  utimesSync(file, closed, closed)
}

/** A mail server of Python's; `mails` are those that came, without the line breaks of quoted-printable. */
export const startMailServer = async (folder: string) => {
  const port = await freePort()
  const mailbox = join(folder, 'mailbox')
  launch(
    'address' in aiosmtpd ? aiosmtpd.address : '',
    ['-n', '-l', `127.0.0.1:${port}`, '-c', 'aiosmtpd.handlers.Mailbox', mailbox],
    { PYTHONDONTWRITEBYTECODE: '1' },
  )
  const box = join(mailbox, 'new')
  return {
    address: `smtp://127.0.0.1:${port}`,
    mails: (): readonly string[] =>
      existsSync(box)
        ? readdirSync(box).map((name) =>
            readFileSync(join(box, name), 'utf8')
              .replace(/=\r?\n/g, '')
              .replace(/\r?\n /g, ' '),
          )
        : [],
  }
}
