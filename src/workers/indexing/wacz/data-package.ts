import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { decode } from '../../../domain/kernel/codecs.ts'
import { parseJson } from '../../../domain/kernel/json-text.ts'
import type { Wacz } from './open-wacz.ts'

/** One file by `datapackage.json`. */
export interface Resource {
  readonly path: string
  readonly bytes?: number
  /** `sha256:…` or `md5:…`, in hex. */
  readonly hash?: string
}

const Resource = t.intersection([t.type({ path: t.string }), t.partial({ bytes: t.number, hash: t.string })])
const DataPackage = t.intersection([
  t.type({ resources: t.array(Resource) }),
  t.partial({ wacz_version: t.string }),
])
const PackageDigest = t.type({ hash: t.string })

interface Described {
  readonly resources: readonly Resource[]
  /** Faults of the description, one sentence each. */
  readonly warnings: readonly string[]
}

/** Reads the description of a WACZ. Damage to it is told, and does no harm to the records. */
export const readDataPackage = ({ dataPackage, packageDigest }: Wacz): Described => {
  if (!dataPackage)
    return {
      resources: [],
      warnings: ['datapackage.json is missing, or larger than 1 MiB: nothing says what the WACZ should hold'],
    }
  return pipe(
    parseJson(dataPackage),
    E.mapLeft(({ message }) => message),
    E.chain((json) => decode(DataPackage, json)),
    E.match(
      (reason) => ({
        resources: [],
        warnings: [`datapackage.json is damaged: ${reason}`],
      }),
      ({ resources, wacz_version }) => ({
        resources,
        warnings: [...versionWarnings(wacz_version), ...digestWarnings(dataPackage, packageDigest)],
      }),
    ),
  )
}

const versionWarnings = (version: string | undefined): readonly string[] =>
  version !== undefined && /^1\./.test(version)
    ? []
    : [
        `datapackage.json says ${version === undefined ? 'no version' : `version ${JSON.stringify(version)}`} of WACZ; it is read as 1.1.1`,
      ]

const digestWarnings = (dataPackage: Buffer, packageDigest: Buffer | undefined): readonly string[] => {
  if (!packageDigest) return []
  const read = pipe(
    parseJson(packageDigest),
    E.mapLeft(({ message }) => message),
    E.chain((json) => decode(PackageDigest, json)),
  )
  if (E.isLeft(read)) return [`datapackage-digest.json is damaged: ${read.left}`]
  const algorithm = algorithmOf(read.right.hash)
  const isSame =
    algorithm === undefined ||
    read.right.hash.toLowerCase() ===
      `${algorithm}:${createHash(algorithm).update(dataPackage).digest('hex')}`
  return isSame ? [] : ['datapackage.json was changed: datapackage-digest.json has another digest of it']
}

/** Undefined: the digest is of an algorithm that WACZ does not know, and is not compared. */
export const algorithmOf = (hash: string | undefined): 'sha256' | 'md5' | undefined => {
  if (/^sha256:/i.test(hash ?? '')) return 'sha256'
  return /^md5:/i.test(hash ?? '') ? 'md5' : undefined
}
