import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { storeAt } from '../../../../infra/content/s3/store.ts'
import { roundsOr } from '../../../e2e/crash/seed.ts'
import { openStub } from '../../s3/opening.ts'

const MiB = 1024 ** 2
/** A thousand thousand; by `FONDS_TEST_ROUNDS`, more. */
const pages = roundsOr(1000)
const keysOfPage = 1000

/** One page of the listing, of which the server keeps nothing. */
const page = (number: number): string => {
  const contents = Array.from({ length: keysOfPage }, (_, i) => {
    const key = `in/${String(number * keysOfPage + i).padStart(9, '0')}`
    return `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"e"</ETag><Size>1</Size></Contents>`
  })
  const isLast = number === pages - 1
  const more = `<IsTruncated>${!isLast}</IsTruncated><NextContinuationToken>${number + 1}</NextContinuationToken>`
  return `<ListBucketResult>${more}${contents.join('')}</ListBucketResult>`
}

it('a million names are listed in the memory of a page', async () => {
  const stub = await openStub()
  stub.server.beforeEach(({ query }) => ({
    kind: 'answer',
    answer: { status: 200, body: page(Number(query.get('continuation-token') ?? 0)) },
  }))
  let found = 0
  let most = 0
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const before = process.memoryUsage()
  for await (const one of storeAt({ bucket: stub.bucket, prefix: 'in/' }).names()) {
    if (one.kind === 'skipped') throw new Error(`${one.skipped.path}: ${one.skipped.reason}`)
    if (++found % 100_000 > 0) continue
    collect()
    const now = process.memoryUsage()
    most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external)
  }
  await stub.close()
  expect(found).toBe(pages * keysOfPage)
  expect(most).toBeLessThan(32 * MiB)
})
