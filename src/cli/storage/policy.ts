/** A policy document of AWS IAM, which other servers of S3 take as well. */
export interface Policy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement[]
}

interface Statement {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: string | readonly string[]
}

interface Rights {
  readonly write?: boolean | undefined
  readonly restore?: boolean | undefined
}

/**
 * Returns the least rights for the objects below a prefix. Names are listed in the whole bucket: with a condition on the prefix, S3
 * answers "forbidden" for an object that is missing, and Fonds could not tell the two apart.
 */
export const policyFor = (bucket: string, prefix: string, { write, restore }: Rights): Policy => {
  const inBucket = ['s3:ListBucket']
  const onObjects = ['s3:GetObject', 's3:GetObjectVersion']
  if (write) {
    // A write that is taken back leaves no versions behind.
    inBucket.push('s3:ListBucketVersions', 's3:ListBucketMultipartUploads')
    onObjects.push('s3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject', 's3:DeleteObjectVersion')
  }
  if (restore) onObjects.push('s3:RestoreObject')
  const arn = `arn:aws:s3:::${bucket}`
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'FondsBucket', Effect: 'Allow', Action: inBucket, Resource: arn },
      {
        Sid: 'FondsObjects',
        Effect: 'Allow',
        Action: onObjects,
        Resource:
          write && prefix ? [prefix, ...besides(prefix)].map((one) => `${arn}/${one}*`) : `${arn}/${prefix}*`,
      },
    ],
  }
}

/** Beside a storage root lie copies of versions that were taken out of it, and uploads. */
const besides = (prefix: string): readonly string[] =>
  ['set-aside', 'uploads'].map((ending) => `${prefix.slice(0, -1)}.${ending}/`)

/** Reads `s3://bucket/prefix`; a prefix ends with a slash. Undefined for an address that is none. */
export const bucketAndPrefix = (
  address: string,
): { readonly bucket: string; readonly prefix: string } | undefined => {
  const [, bucket, rest = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/i.exec(address) ?? []
  // In a policy they stand for any text.
  if (bucket === undefined || /[*?$]/.test(rest)) return undefined
  const prefix = rest.replace(/\/+$/, '')
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}
