import { describe, expect, it } from 'vitest'
import { bucketFindings } from '#src/workflows/bucket-findings.ts'

const address = 's3://archive/masters'
const all = ['reach', 'list', 'describe', 'read'] as const
const object = { key: 'masters/a', checksums: ['sha256'], isArchived: false }

describe('lines of doctor about a bucket', () => {
  it('say what it lets, and which checksums it has', () => {
    expect(bucketFindings('masters', address, { done: all, object, skewMillis: 2000 })).toEqual([
      {
        check: 'bucket',
        status: 'ok',
        says: `masters: ${address} answers, may be listed, objects are described, and read; its server reports checksums (sha256)`,
      },
    ])
  })

  it('say that there is none, or that it was not read', () => {
    const says = (inspection: Parameters<typeof bucketFindings>[2]) =>
      bucketFindings('masters', address, inspection)[0]?.says
    expect(says({ done: all, object: { ...object, checksums: [] } })).toContain('no checksum beside the ETag')
    expect(says({ done: ['reach', 'list'] })).toContain('no object there yet')
    const archived = says({ done: ['reach', 'list', 'describe'], object: { ...object, isArchived: true } })
    expect(archived).toContain('archived, and was not read')
    expect(archived).not.toContain('and read')
  })

  it.each([
    ['reach', 'FONDS_S3_ENDPOINT'],
    ['list', `fonds storage policy ${address}`],
    ['describe', `fonds storage policy ${address}`],
    ['read', `fonds storage policy ${address}`],
  ] as const)('fail at %s with what to do', (step, todo) => {
    const [finding] = bucketFindings('masters', address, { done: [], failed: { step, reason: 'no' } })
    expect(finding).toMatchObject({ status: 'fail', todo: expect.stringContaining(todo) })
  })

  it('suggest other checksums where the server keeps none of what Fonds wrote', () => {
    const inspection = { done: all, object: { ...object, checksums: [] } }
    const ofChecksums = (isWritten: boolean, of: Parameters<typeof bucketFindings>[2] = inspection) =>
      bucketFindings('masters', address, of, { isWritten }).filter(
        ({ check }) => check === 'bucket checksums',
      )
    expect(ofChecksums(true)).toEqual([
      expect.objectContaining({ status: 'warn', todo: expect.stringContaining('FONDS_S3_CHECKSUMS to md5') }),
    ])
    expect(ofChecksums(false)).toEqual([])
    expect(ofChecksums(true, { done: all, object })).toEqual([])
    expect(ofChecksums(true, { done: ['reach', 'list'] })).toEqual([])
  })

  it.each([
    [5 * 60_000, '5 min ahead of'],
    [-3_600_000, '1 h behind'],
  ])('warn of a clock that is %i ms ahead', (skewMillis, says) => {
    const findings = bucketFindings('masters', address, { done: all, object, skewMillis })
    expect(findings).toHaveLength(2)
    expect(findings[1]).toMatchObject({ status: 'warn', says: expect.stringContaining(says) })
  })
})
