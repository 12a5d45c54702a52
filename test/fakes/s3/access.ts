import { Refusal } from './refusal.ts'
import type { S3Request } from './request.ts'

export interface AccessRules {
  /** The time of the server. */
  now(): Date
  /** Refuses requests that are dated more than 15 minutes away, as AWS does. */
  checksDate: boolean
  /** Every key has run out. */
  hasExpired: boolean
}

const maxSkewMillis = 15 * 60_000

/** Requires an Authorization header or the parameters of a presigned address; the signature itself is not computed. */
export const checkAccess = ({ headers, query }: S3Request, rules: AccessRules): void => {
  const isPresigned = query.has('X-Amz-Signature')
  if (headers.authorization === undefined && !isPresigned)
    throw new Refusal(403, 'AccessDenied', 'Access Denied')
  if (headers.authorization !== undefined && !headers.authorization.startsWith('AWS4-HMAC-SHA256 '))
    throw new Refusal(400, 'InvalidRequest', 'Please use AWS4-HMAC-SHA256.')
  if (rules.hasExpired) throw new Refusal(400, 'ExpiredToken', 'The provided token has expired.')
  const at = dateOf(query.get('X-Amz-Date') ?? String(headers['x-amz-date']))
  const now = rules.now().getTime()
  if (isPresigned && now > at + 1000 * Number(query.get('X-Amz-Expires')))
    throw new Refusal(403, 'AccessDenied', 'Request has expired')
  if (!isPresigned && rules.checksDate && !(Math.abs(now - at) <= maxSkewMillis))
    throw new Refusal(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    )
}

/** Of `20261128T123456Z`. */
const dateOf = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
