import type { RequestCounts } from './request-counts.ts'

/**
 * How buckets are reached. Structured-clonable: threads get it as it is. Secrets are no part of it: credentials come from
 * the usual chain (environment, profile, web identity, container, instance), or are given beside it.
 */
export interface S3Settings {
  /** `http(s)://host[:port]`; absent: `AWS_ENDPOINT_URL_S3`, then `AWS_ENDPOINT_URL`, then AWS itself by region. */
  readonly endpoint?: string
  /** Absent: `AWS_REGION`, `AWS_DEFAULT_REGION`, the profile's, then `us-east-1`; a bucket's own is learnt from redirects. */
  readonly region?: string
  /** `https://host/bucket/key` rather than `https://bucket.host/key`. Default: true with an endpoint, false without. */
  readonly pathStyle?: boolean
  /** A profile of `~/.aws/config` and `~/.aws/credentials`. */
  readonly profile?: string
  /** Certificates in PEM that are trusted beside those of Node. */
  readonly ca?: string
  /**
   * `http(s)://host:port`; absent: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment, never for
   * this machine.
   */
  readonly proxy?: string
  /**
   * Checksums sent with bytes that are written. `supported` (default): SHA-256, which older servers refuse. `md5`: the
   * header Content-MD5. `required`: none, except where S3 asks for one.
   */
  readonly checksums?: 'supported' | 'md5' | 'required'
  /** Connections to one bucket. Default: 32. */
  readonly connections?: number
  /** Requests of one call, the first included, when the server is busy or the connection breaks. Default: 6. */
  readonly attempts?: number
  /** Wait for a connection, for an answer to begin, and between two pieces of a body. Default: 60,000. */
  readonly timeoutMillis?: number
  /** Counts requests and bytes, for all threads that have it: `createRequestCounts`. */
  readonly counts?: RequestCounts | undefined
  /** Counts them for `root`, too: `createRootCounts`. */
  readonly countsByRoot?: SharedArrayBuffer | undefined
  /** `s3://bucket/prefix` that the requests are counted for. */
  readonly root?: string | undefined
}
