import { surt } from '@fonds/cdx'
import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, it } from 'vitest'
import { UnavailableError } from '#src/async/unavailable.ts'
import { accessStream } from '#src/domain/indexing/access/rule.ts'
import type { EventStore } from '#src/ports/event-store.ts'
import { hiddenNow } from '#src/projections/indexing/access/rules-in-force.ts'
import { fakeEventStore } from '../../../fakes/event-store.ts'

const now = '2026-01-31T12:00:00.000Z'
const said = { reason: 'court order', at: now }
const metadata = { actor: 'ada', causationId: 'cause', correlationId: 'cause', schema: 1 }

let events = 0
const note = async (log: EventStore, type: string, data: object): Promise<void> => {
  const id = `00000000-0000-4000-8000-${String(++events).padStart(12, '0')}`
  const appended = await log.append(accessStream('r1'), 'any', [{ id, type, data, metadata }])()
  expect(appended).toSatisfy(E.isRight)
}
const deny = (log: EventStore, url: string) =>
  note(log, 'AccessRuleSet', { policy: 'deny', match: 'host', url, ...said })
const isRefused = async (log: EventStore, url: string): Promise<boolean> =>
  (await hiddenNow(log, now)).refusal?.(surt(url), '20200101000000') !== undefined

describe('rules in force', () => {
  it('are those of the log at the time of the question, whoever wrote them', async () => {
    const log = fakeEventStore()
    expect(await isRefused(log, 'http://example.org/')).toBe(false)
    await deny(log, 'http://example.org/')
    expect(await isRefused(log, 'http://example.org/')).toBe(true)
    await deny(log, 'http://other.example/')
    expect(await isRefused(log, 'http://example.org/')).toBe(false)
    expect(await isRefused(log, 'http://other.example/')).toBe(true)
    await note(log, 'AccessRuleRemoved', said)
    expect(await isRefused(log, 'http://other.example/')).toBe(false)
  })

  it('are not guessed while the log is away', async () => {
    const log = fakeEventStore()
    await deny(log, 'http://example.org/')
    expect(await isRefused(log, 'http://example.org/')).toBe(true)
    log.goAway()
    await expect(hiddenNow(log, now)).rejects.toThrow(UnavailableError)
    log.comeBack()
    expect(await isRefused(log, 'http://example.org/')).toBe(true)
  })

  it('let nothing be shown where one of them cannot be read', async () => {
    const log = fakeEventStore()
    await note(log, 'AccessRuleSet', { policy: 'hide', ...said })
    await expect(hiddenNow(log, now)).rejects.toThrow(UnavailableError)
    await expect(hiddenNow(log, now)).rejects.toThrow(UnavailableError)
  })
})
