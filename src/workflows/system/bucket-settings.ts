import { type Algorithm, isAlgorithm } from '@fonds/digests'
import * as t from 'io-ts'
import { PositiveInteger, Text } from '../../domain/kernel/codecs.ts'
import { atStart, type Settings } from '../../domain/kernel/setting.ts'

/* Settings of object storage. Credentials are none of them: they come from where AWS's own tools look. */

const hostAlone = /^https?:\/\/(\[[0-9a-fA-F:.]+\]|[^\s@/?#:[\]]+)(:\d{1,5})?\/?$/

const isServer = (text: string): boolean => hostAlone.test(text) && URL.canParse(text)

/** A name or a password in an address would be shown in errors, and is sent nowhere. */
const Endpoint = t.refinement(
  t.string,
  isServer,
  'address of a server (https://<host>:<port>, without bucket or path; keys go into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile)',
)
const ProxyAddress = t.refinement(
  t.string,
  isServer,
  'address of a proxy (http://<host>:<port>; one that wants a name and a password goes into HTTPS_PROXY)',
)
const Region = t.refinement(
  Text,
  (s) => /^[A-Za-z0-9-]{1,64}$/.test(s),
  'name of a region (letters, digits, -; eu-central-1)',
)
const PathStyle = t.keyof({ on: null, off: null }, 'on or off')
const Checksums = t.keyof({ supported: null, md5: null, required: null }, 'supported, md5 or required')
const ETags = t.keyof({ md5: null, opaque: null }, 'md5 or opaque')

/** A digest that clients keep in the metadata of an object. */
interface MetadataDigest {
  /** Behind `x-amz-meta-`, in lower case. */
  readonly name: string
  readonly algorithm: Algorithm
}

/** Reads `md5chksum=md5,content-checksum=md5`; undefined where it is not of this form. */
export const parseMetadataDigests = (text: string): readonly MetadataDigest[] | undefined => {
  const pairs = text.split(',').map((pair) => pair.trim().split('='))
  const digests = pairs.flatMap(([name = '', algorithm = '', ...rest]) =>
    rest.length === 0 && /^[a-z0-9_.-]+$/i.test(name) && isAlgorithm(algorithm)
      ? [{ name: name.toLowerCase(), algorithm }]
      : [],
  )
  return digests.length === pairs.length ? digests : undefined
}

const MetadataDigests = t.refinement(
  Text,
  (s) => parseMetadataDigests(s) !== undefined,
  'names of metadata, each with its algorithm and commas between (md5chksum=md5,content-checksum=sha-256)',
)
/** Most systems let a process have 1,024 files and connections. */
const Connections = t.refinement(PositiveInteger, (n) => n <= 512, 'whole number from 1 to 512')

export const bucketSettings = {
  s3Endpoint: {
    codec: Endpoint,
    login: true,
    value: 'address',
    archive: atStart('https://s3.archive.example'),
    description:
      'server that buckets (s3://<bucket>/<prefix>) are on: https://<host>:<port> (default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, then AWS itself)',
  },
  s3Region: {
    codec: Region,
    archive: atStart('eu-central-1'),
    description:
      'region that requests for buckets are signed for (default: AWS_REGION, AWS_DEFAULT_REGION, then us-east-1)',
  },
  s3PathStyle: {
    codec: PathStyle,
    archive: atStart('off'),
    description:
      'on: the bucket stands in the path (https://<host>/<bucket>); off: before the host (default: on with an endpoint, off at AWS)',
  },
  s3CaFile: {
    codec: Text,
    description: 'PEM file of the authority that this server is trusted by (default: AWS_CA_BUNDLE)',
  },
  s3Proxy: {
    codec: ProxyAddress,
    login: true,
    value: 'address',
    description: 'http://<host>:<port>: proxy to reach buckets through (default: HTTPS_PROXY and NO_PROXY)',
  },
  s3Checksums: {
    codec: Checksums,
    default: 'supported',
    archive: atStart('md5'),
    description:
      'what is sent for the server to check bytes by: supported (SHA-256), md5 (older servers take no other), required (nothing, unless S3 wants it)',
  },
  s3Etags: {
    codec: ETags,
    default: 'md5',
    archive: atStart('opaque'),
    description:
      'md5: an ETag that looks like an MD5 of the bytes, or of the parts, is one; opaque: no ETag of this server is',
  },
  s3MetadataDigests: {
    codec: MetadataDigests,
    archive: atStart('md5chksum=md5'),
    description:
      "digests in objects' metadata that count as the storage's word: md5chksum=md5 (rclone), content-checksum=md5 (DuraCloud); default: none",
  },
  s3Connections: {
    codec: Connections,
    default: 32,
    description:
      'most connections to one bucket, of a thread: so many that read, and as many for all else; readings of 4 MiB and more do not wait for one, unless there is a proxy',
  },
} satisfies Settings
