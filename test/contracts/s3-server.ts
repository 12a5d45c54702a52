import { listingFacts } from './s3-server/listing.ts'
import { multipartFacts } from './s3-server/multipart.ts'
import { readingFacts } from './s3-server/reading.ts'
import { type S3Fact, type S3ServerUnderTest, s3Tools } from './s3-server/tools.ts'
import { writingFacts } from './s3-server/writing.ts'

/**
 * Facts of S3 that Fonds relies on. One suite runs on the stub, on versitygw and on moto, so that the stub does not drift from them.
 * `lacks` are those that a server is known not to have: their tests must fail there, else the list is out of date.
 */
export const s3ServerSuite = (
  start: () => Promise<S3ServerUnderTest>,
  lacks: readonly S3Fact[] = [],
): void => {
  const tools = s3Tools(start, lacks)
  listingFacts(tools)
  readingFacts(tools)
  writingFacts(tools)
  multipartFacts(tools)
}
