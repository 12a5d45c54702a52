import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failing, seedObject } from '../../fakes/s3-server.ts'
import { type OpenedStub, openStub } from './opening.ts'

describe('a restoration', () => {
  let stub: OpenedStub
  beforeEach(async () => {
    stub = await openStub()
    seedObject(stub.server.bucket('bucket'), 'cold', 'bytes', { storageClass: 'GLACIER' })
  })
  afterEach(() => stub.close())

  const bodies = (): string[] => {
    const found: string[] = []
    stub.server.beforeEach(({ body }) => void found.push(body.toString()))
    return found
  }

  it('is begun once, and restored from then on', async () => {
    const sent = bodies()
    expect(await stub.bucket.restore('cold', { days: 3, tier: 'Bulk' })).toBe('begun')
    expect(await stub.bucket.restore('cold', { days: 3, tier: 'Bulk' })).toBe('restored')
    expect(sent[0]).toContain('<Days>3</Days><GlacierJobParameters><Tier>Bulk</Tier></GlacierJobParameters>')
    expect(await stub.bucket.head('cold')).toMatchObject({ restore: 'ongoing-request="false"' })
  })

  it('names no days where there are none', async () => {
    const sent = bodies()
    await stub.bucket.restore('cold', { tier: 'Standard' })
    expect(sent[0]).not.toContain('Days')
  })

  it('that goes on already is no failure', async () => {
    stub.server.beforeEach(() => failing(409, 'RestoreAlreadyInProgress'))
    expect(await stub.bucket.restore('cold', { days: 1, tier: 'Standard' })).toBe('under-way')
    expect(stub.server.count('RestoreObject')).toBe(1)
  })

  it.each([
    [403, 'AccessDenied'],
    [501, 'NotImplemented'],
    [403, 'InvalidObjectState'],
  ])('refused by %i %s fails, and is not asked for again', async (status, code) => {
    stub.server.beforeEach(() => failing(status, code))
    await expect(stub.bucket.restore('cold', { days: 1, tier: 'Standard' })).rejects.toMatchObject({
      status,
      code,
    })
    expect(stub.server.count('RestoreObject')).toBe(1)
  })
})
