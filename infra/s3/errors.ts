import { childText, parseXml } from './xml.ts'

interface S3Failure {
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /**
   * The server's code (`NoSuchKey`, `SlowDown` …), `HTTP404` where it gave none, the code of a broken connection
   * (`ECONNRESET` …), or one of ours: `InvalidAnswer`, `TruncatedBody`, `NoCredentials`,
   * `InvalidEndpoint`, `OutcomeUnknown`.
   */
  readonly code: string
  readonly message: string
  /** The state of the object or bucket is unknown, and another attempt may learn it. */
  readonly isTransient: boolean
  /** An earlier request of the same call may have been carried out: its answer was lost. */
  readonly wasRepeated?: boolean
  /** A marker of deletion is the current version of the key: earlier ones may be kept. */
  readonly isDeleteMarker?: boolean
  readonly hints?: Hints
}

/** Parts of an answer that tell how the next attempt may succeed. */
export interface Hints {
  /** The server's clock, epoch milliseconds. */
  readonly serverTime?: number
  /** The region in which the bucket is. */
  readonly region?: string
  readonly retryAfterMillis?: number
}

/** A request to a bucket failed. Its message has the address and no secret. */
export class S3Error extends Error implements S3Failure {
  override readonly name = 'S3Error'
  readonly status: number
  readonly code: string
  readonly isTransient: boolean
  readonly wasRepeated: boolean
  readonly isDeleteMarker: boolean
  readonly hints: Hints

  constructor(failure: S3Failure, cause?: unknown) {
    super(failure.message, cause === undefined ? {} : { cause })
    this.status = failure.status
    this.code = failure.code
    this.isTransient = failure.isTransient
    this.wasRepeated = failure.wasRepeated ?? false
    this.isDeleteMarker = failure.isDeleteMarker ?? false
    this.hints = failure.hints ?? {}
  }

  /** The same failure of a call whose earlier requests may have been carried out. */
  asRepeated(): S3Error {
    return new S3Error({ ...this, message: this.message, wasRepeated: true }, this.cause)
  }
}

const transientStatuses = new Set([408, 429, 500, 502, 503, 504])

const transientCodes = new Set([
  'BandwidthLimitExceeded',
  'ConditionalRequestConflict',
  'InternalError',
  'OperationAborted',
  'RequestLimitExceeded',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
])

/** Longest message of a server that is passed on, in characters. */
const maxMessage = 300

/** The failure that an answer describes. `text`: its body, empty for HEAD. */
export const failureIn = (
  address: string,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  text: string,
): S3Error => {
  const { code, message, region } = describedIn(text)
  const known = code ?? `HTTP${status}`
  const place = headers['x-amz-bucket-region'] ?? region
  const time = Date.parse(headers.date ?? '')
  const pause = retryAfter(headers['retry-after'])
  return new S3Error({
    status,
    code: known,
    message: `${address}: ${status} ${known}${message ? `: ${message.slice(0, maxMessage)}` : ''}`,
    isTransient:
      code === 'NotImplemented' ? false : transientStatuses.has(status) || transientCodes.has(known),
    isDeleteMarker: headers['x-amz-delete-marker'] === 'true',
    hints: {
      ...(place && { region: place }),
      ...(Number.isFinite(time) && { serverTime: time }),
      ...(pause !== undefined && { retryAfterMillis: pause }),
    },
  })
}

/** The server's answer makes no sense: it may have been cut short, or not be a server of S3. */
export const invalidAnswer = (address: string, reason: string, cause?: unknown): S3Error =>
  new S3Error(
    { status: 200, code: 'InvalidAnswer', message: `${address}: ${reason}`, isTransient: true },
    cause,
  )

interface Described {
  readonly code?: string
  readonly message?: string
  readonly region?: string
}

/** An error document, or nothing where the body is something else: a page of a proxy, say. */
const describedIn = (text: string): Described => {
  try {
    const root = parseXml(text)
    if (root.name !== 'Error') return {}
    const field = (name: string) => childText(root, name) || undefined
    const [code, message, region] = [field('Code'), field('Message'), field('Region')]
    return { ...(code && { code }), ...(message && { message }), ...(region && { region }) }
  } catch {
    return {}
  }
}

/** Seconds, or a date. */
const retryAfter = (value: string | undefined): number | undefined => {
  if (value === undefined) return undefined
  const millis = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isFinite(millis) ? Math.max(0, millis) : undefined
}

/** Failures of certificates, which no further attempt mends. */
const certificate = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_)/

/** The failure of a request that got no answer, or whose body broke off. */
export const connectionFailure = (address: string, error: unknown): S3Error => {
  if (error instanceof S3Error) return error
  const { code = 'NoConnection', message } = error as NodeJS.ErrnoException
  const text = message || (error as AggregateError).errors?.[0]?.message || code
  const isCertificate = certificate.test(code)
  const advice = isCertificate ? '; give the certificate of its authority as FONDS_S3_CA_FILE' : ''
  return new S3Error(
    { status: 0, code, message: `${address}: ${text}${advice}`, isTransient: !isCertificate },
    error,
  )
}
