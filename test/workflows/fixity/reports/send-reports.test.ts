import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { orThrow } from '#src/async/unavailable.ts'
import { addFolder } from '#src/cli/fixity/add.ts'
import { checkNow } from '#src/cli/fixity/check.ts'
import { comparisonDecider } from '#src/domain/fixity/comparison/decide.ts'
import { comparisonStream } from '#src/domain/fixity/comparison/events.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { storeStream } from '#src/domain/fixity/store/events.ts'
import { sentReports } from '#src/domain/fixity/views.ts'
import { archiveSettings, settingsStream } from '#src/domain/kernel/archive-settings.ts'
import { rows } from '#src/domain/kernel/read-views.ts'
import type { Mail, MailerFailure } from '#src/ports/mailer.ts'
import { type ReportingContext, sendDue } from '#src/workflows/fixity/reports/send-reports.ts'
import { folderOf, shown, started, testSystem } from '../../../app/archive.ts'
import { everything } from '../../../e2e/crash/expectations.ts'

const signal = new AbortController().signal
const leader = { isLeader: () => true }

const archive = async (reports: string, folders: readonly string[] = ['main']) => {
  const system = await testSystem()
  const roots = await Promise.all(folders.map(() => folderOf({ 'letters/1.txt': 'one', '=2+2.txt': 'two' })))
  for (const [i, store] of folders.entries())
    await addFolder(system, roots[i] ?? '', { store, actor: 'ada', newFiles: 'off' }, () => {}, signal)
  const check = () => checkNow(system, {}, { actor: 'ada', wait: true, signal }, () => {})
  await check()
  const running = await started(system, ['processors', 'projections'])
  const mails: Mail[] = []
  let failure: MailerFailure | undefined
  const day = { now: '' }
  const context: ReportingContext = {
    ...{ viewStore: system.viewStore, eventStore: system.eventStore, states: system.states },
    ...{ execute: system.execute, log: system.log, people: system.people },
    clock: { ...system.clock, now: () => day.now },
    config: { ...system.config, reports, publicUrl: 'https://fonds.example/' },
    mailer: {
      send: (mail) => async () => {
        if (failure) return E.left(failure)
        mails.push(mail)
        return E.right({ accepted: mail.to, refused: [] })
      },
    },
  }
  /** Sends what is due on a day; the items were checked on the day of the test, which is the first. */
  const on = async (after: number) => {
    day.now = new Date(Date.now() + after * 86_400_000).toISOString()
    await shown(system, running)
    const isDone = await sendDue(context, leader)
    await shown(system, running)
    return isDone
  }
  const sent = () => rows(system.viewStore, sentReports)
  const fail = (one: MailerFailure | undefined) => {
    failure = one
  }
  return { system, root: roots[0] ?? '', check, mails, on, sent, fail, context }
}

const daily = 'daily to=ada@a.example,bob@a.example store=main'

describe('a report by schedule', () => {
  it('is mailed once when its period has ended, with a sentence, figures, a page and a table', async () => {
    const { system, mails, on, sent } = await archive(daily)
    await on(0)
    expect(mails).toEqual([])
    await on(1)
    await on(1)
    expect(mails).toHaveLength(1)
    const [mail] = mails
    expect(mail?.to).toEqual(['ada@a.example', 'bob@a.example'])
    expect(mail?.subject).toMatch(/^Fonds: fixity of main, \d{4}-\d\d-\d\d: all is well$/)
    expect(mail?.text).toContain('All of 2 items of main are as recorded')
    expect(mail?.text).toMatch(/^ {2}2 checks: 2 successes, 0 failures/m)
    expect(mail?.text).toContain('https://fonds.example/fixity')
    const [page, table] = mail?.attachments ?? []
    expect(page?.name).toMatch(/^fixity-main-\d{4}-\d\d-\d\d\.html$/)
    expect(page?.text).toContain('<!doctype html>')
    expect(table?.text).toContain('main,letters/,1,')
    // The log has references; names and addresses are outside of it.
    const people = await orThrow(system.people.list())
    expect(people.map(({ mail: address }) => address).toSorted()).toEqual(['ada@a.example', 'bob@a.example'])
    expect(sent()).toMatchObject([{ store: 'main', isWell: 1 }])
    expect(sent()[0]?.to.toSorted()).toEqual(people.map(({ reference }) => reference).toSorted())
    expect(
      JSON.stringify(
        (await everything(system)).map(({ stream, data, metadata }) => [stream, data, metadata]),
      ),
    ).not.toContain('@a.example')
  })

  it('says all is well of nothing that is not: a missing file, a late one, a store without items', async () => {
    const { root, check, mails, on } = await archive(daily)
    await on(0)
    await rm(join(root, 'letters/1.txt'))
    await check()
    await on(1)
    expect(mails[0]?.subject).toContain(': 1 failed, 1 open finding')
    const late = await archive(daily)
    await late.on(0)
    await late.on(200)
    expect(late.mails.at(-1)?.subject).toContain(': 2 late')
    const none = await archive('daily to=ada@a.example store=other')
    await none.on(0)
    await none.on(1)
    expect(none.mails[0]?.subject).toContain(': nothing is recorded')
  })

  it('does not say so while a comparison has found what no check has seen', async () => {
    const { system, mails, on } = await archive(daily)
    await on(0)
    const first = { new: [], missing: ['letters/1.txt'], moved: [], changed: [] }
    const amounts = { new: 0, missing: 1, moved: 0, changed: 0, unlisted: 0, excluded: 0 }
    const by = { actor: 'ada', at: system.clock.now() }
    const compared = {
      ...({ type: 'NoteComparison', store: 'main', newFiles: 'ask', takenIn: 0 } as const),
      ...{ differences: { ...amounts, first }, ...by },
    }
    const policy = { intervalDays: 90, lagSeconds: 0, replica: false, newFiles: 'ask' } as const
    const changing = { type: 'ChangePolicy', store: 'main', policy, reason: 'x', ...by } as const
    await system.execute(storeDecider, {
      ...{ stream: storeStream('main'), command: changing, causationId: 'x' },
    })
    await system.execute(comparisonDecider, {
      ...{ stream: comparisonStream('main'), command: compared, causationId: 'y' },
    })
    await on(1)
    expect(mails[0]?.subject).toContain(': 1 missing by the last comparison')
  })

  it('with when=wrong is mailed only if something is wrong, and is listed all the same', async () => {
    const { root, check, mails, on, sent } = await archive(`${daily} when=wrong`)
    await on(0)
    await on(1)
    expect(mails).toEqual([])
    expect(sent()).toMatchObject([{ isWell: 1, to: [] }])
    await rm(join(root, 'letters/1.txt'))
    await check()
    await on(2)
    expect(mails).toHaveLength(1)
  })

  it('missed while nothing ran is sent once, each, and at most twelve of a schedule', async () => {
    const { mails, on } = await archive(daily)
    await on(0)
    await on(3)
    expect(mails.map(({ messageId }) => messageId)).toHaveLength(3)
    await on(3)
    expect(mails).toHaveLength(3)
    await on(40)
    expect(mails).toHaveLength(15)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(15)
  })

  it('goes on after it was sent while a clock was ahead', async () => {
    const { mails, on } = await archive('daily to=ada@a.example store=main')
    await on(0)
    await on(900)
    expect(mails).toHaveLength(12)
    await on(1)
    await on(1)
    expect(mails).toHaveLength(12)
    await on(2)
    await on(2)
    expect(mails).toHaveLength(13)
  })

  it('that was mailed early shares its id with no later one: a mailbox would show the first alone', async () => {
    const { mails, on } = await archive('daily to=ada@a.example store=main')
    await on(0)
    await on(4)
    expect(mails).toHaveLength(4)
    await on(1)
    await on(4)
    expect(mails).toHaveLength(7)
    expect(mails[6]?.subject).toBe(mails[3]?.subject)
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(7)
  })

  it('taken out of the settings and put back begins when it was put back; a change of another one is none of it', async () => {
    const { system, mails, on } = await archive(daily)
    const set = async (value: string | undefined, after: number) => {
      const at = new Date(Date.now() + after * 86_400_000).toISOString()
      const command = {
        ...(value === undefined ? ({ type: 'Unset' } as const) : ({ type: 'Set', value } as const)),
        ...{ setting: 'reports', actor: 'ada', reason: 'test', at },
      }
      await orThrow(
        () => system.execute(archiveSettings, { stream: settingsStream, command, causationId: `${after}` }),
        'settings',
      )
    }
    await set(daily, 0)
    await on(0)
    await on(1)
    expect(mails).toHaveLength(1)
    await set(`${daily}; weekly to=bob@b.example`, 1.1)
    await on(3)
    expect(mails).toHaveLength(3)
    await set('weekly to=bob@b.example', 3.1)
    await set(`weekly to=bob@b.example; ${daily}`, 30)
    await on(30)
    expect(mails).toHaveLength(3)
    await on(31)
    expect(mails).toHaveLength(4)
    await set(undefined, 31.1)
    await set(daily, 50)
    await on(52)
    expect(mails).toHaveLength(6)
  })

  it('after a crash behind the sending is sent again with the same id, so that a mailbox shows it once', async () => {
    const { mails, on, context } = await archive(daily)
    await on(0)
    const { execute } = context
    Object.assign(context, { execute: () => Promise.reject(new Error('killed')) })
    await expect(on(1)).rejects.toThrow()
    Object.assign(context, { execute })
    await on(1)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.messageId).toBe(mails[1]?.messageId)
  })

  it('goes to whom a reference stands for, by the address that is kept then; to none who is not kept', async () => {
    const { system, mails, on, sent } = await archive(
      'daily to=person#1,https://login.example%2C1#7 store=main',
    )
    const first = { reference: 'person#1', mail: 'old@a.example' }
    await orThrow(system.people.note(first))
    await on(0)
    await orThrow(system.people.note({ ...first, mail: 'new@a.example' }))
    await on(1)
    expect(mails.map(({ to }) => to)).toEqual([['new@a.example']])
    expect(sent()).toMatchObject([{ to: ['person#1'] }])
    await orThrow(system.people.forget('person#1'))
    expect(await on(2)).toBe(false)
    await orThrow(system.people.note({ reference: 'https://login.example,1#7', mail: 'seven@a.example' }))
    expect(await on(2)).toBe(true)
    expect(mails.at(-1)?.to).toEqual(['seven@a.example'])
  })

  it('that no server takes is tried again; one that is refused is not', async () => {
    const { mails, on, sent, fail } = await archive(daily)
    await on(0)
    fail({ kind: 'Uncertain', reason: 'the connection broke' })
    expect(await on(1)).toBe(false)
    expect(sent()).toEqual([])
    fail({ kind: 'Refused', reason: 'no such user' })
    expect(await on(1)).toBe(true)
    expect(sent()).toMatchObject([
      { to: [], refused: [/^person#/, /^person#/].map((one) => expect.stringMatching(one)) },
    ])
    fail(undefined)
    await on(1)
    expect(mails).toEqual([])
  })
})
