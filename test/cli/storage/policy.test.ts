import { describe, expect, test } from 'vitest'
import { useFonds } from '../fonds.ts'

const fonds = useFonds()

const actionsOf = async (...argv: readonly string[]) => {
  const { code, rows } = await fonds.run(['storage', 'policy', ...argv])
  expect(code).toBe(0)
  const [{ Version, Statement } = {}] = rows as { Version?: string; Statement?: Record<string, unknown>[] }[]
  expect(Version).toBe('2012-10-17')
  return Statement
}

describe('storage policy', () => {
  test('reads below a prefix, and lists the bucket', async () => {
    expect(await actionsOf('s3://archive/masters')).toEqual([
      {
        Sid: 'FondsBucket',
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: 'arn:aws:s3:::archive',
      },
      {
        Sid: 'FondsObjects',
        Effect: 'Allow',
        Action: ['s3:GetObject', 's3:GetObjectVersion'],
        Resource: 'arn:aws:s3:::archive/masters/*',
      },
    ])
  })

  test.each(['s3://archive', 's3://archive/'])('of %s means all of it', async (address) => {
    expect(await actionsOf(address)).toMatchObject([{}, { Resource: 'arn:aws:s3:::archive/*' }])
  })

  test('with --write may store and delete, and not without', async () => {
    const all = async (...argv: readonly string[]) => JSON.stringify(await actionsOf('s3://archive', ...argv))
    expect(await all()).not.toMatch(/Put|Delete|Abort|Versions/)
    expect(await all('--write')).toMatch(/s3:PutObject.*s3:AbortMultipartUpload.*s3:DeleteObject/)
  })

  test('with --write may store below the prefix, and beside it what is set aside and uploaded', async () => {
    expect(await actionsOf('s3://archive/ocfl', '--write')).toMatchObject([
      {},
      {
        Resource: [
          'arn:aws:s3:::archive/ocfl/*',
          'arn:aws:s3:::archive/ocfl.set-aside/*',
          'arn:aws:s3:::archive/ocfl.uploads/*',
        ],
      },
    ])
  })

  test('with --restore may have archived objects restored, and not without', async () => {
    const all = async (...argv: readonly string[]) => JSON.stringify(await actionsOf('s3://archive', ...argv))
    expect(await all('--write')).not.toContain('s3:RestoreObject')
    expect(await all('--restore')).toContain('s3:RestoreObject')
  })

  test.each(['/srv/archive', 's3://', 's3://a', 's3://archive/*', 'https://archive'])(
    'of %s is wrong usage, and says how it is given',
    async (address) => {
      const { code, out, err } = await fonds.run(['storage', 'policy', address])
      expect([code, out]).toEqual([2, ''])
      expect(err).toContain('s3://bucket/prefix')
    },
  )
})
