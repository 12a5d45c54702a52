import type { Session } from '../context.ts'
import { type CliFailure, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { bucketAndPrefix, policyFor } from './policy.ts'

interface PolicyOptions {
  readonly write?: boolean
  readonly restore?: boolean
}

export const run = async (
  { output }: Session,
  address: string,
  rights: PolicyOptions,
): Promise<CliFailure | undefined> => {
  const place = bucketAndPrefix(address)
  if (place === undefined)
    return usage(
      `${address} is no bucket`,
      'give s3://bucket or s3://bucket/prefix, without * ? $ in the prefix',
    )
  const policy = policyFor(place.bucket, place.prefix, rights)
  await output.write(`${output.isTTY ? JSON.stringify(policy, undefined, 2) : jsonText(policy)}\n`)
  return undefined
}
