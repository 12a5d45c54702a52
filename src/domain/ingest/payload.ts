import * as t from 'io-ts'
import { annotate } from '../kernel/annotation.ts'
import { NonNegativeInteger, Text } from '../kernel/codecs.ts'
import { Ark } from './ark.ts'
import { LocalId } from './ids.ts'

/** Limits the length: an event with many of these texts stays small. */
const short = (max: number) =>
  annotate(
    t.refinement(Text, (s) => s.length <= max, `text of at most ${max} characters`),
    { maxLength: max },
  )

const MetadataText = short(4000)

/** The producer's description of an object: the four ERC elements, a note, and Dublin Core terms as they are. */
export const Description = t.partial(
  {
    who: MetadataText,
    what: MetadataText,
    when: MetadataText,
    where: MetadataText,
    note: MetadataText,
    dublinCore: t.record(t.string, t.array(MetadataText)),
  },
  'description',
)
export type Description = t.TypeOf<typeof Description>

/** As the depositor gives it; compared without regard to case. */
export const PayloadDigest = t.type({ algorithm: short(32), value: short(256) }, 'payload digest')
export type PayloadDigest = t.TypeOf<typeof PayloadDigest>

/** An absolute URL: `https://…`, `s3://bucket/key`, `file:///…`. */
export const PayloadUrl = annotate(
  t.refinement(short(4000), (s) => /^[a-z][a-z0-9+.-]*:/i.test(s) && URL.canParse(s), 'absolute URL'),
  { format: 'uri' },
)

/** `add` writes a version of the submitted files alone; `update` carries the files of the last one forward. */
export const Mode = t.keyof({ add: null, update: null }, 'mode')
export type Mode = t.TypeOf<typeof Mode>

/** Payload types of one object. */
export const ObjectType = t.keyof(
  { file: null, container: null, manifest: null, folder: null, bag: null },
  'object type',
)
export type ObjectType = t.TypeOf<typeof ObjectType>

/** Types that may be submitted; the later ones make a job of each row, file or folder. */
export const SubmissionType = t.keyof(
  {
    file: null,
    container: null,
    manifest: null,
    folder: null,
    bag: null,
    'batch-manifest': null,
    'container-batch-manifest': null,
    'single-file-batch-manifest': null,
    'each-file': null,
    'each-folder': null,
  },
  'submission type',
)
export type SubmissionType = t.TypeOf<typeof SubmissionType>

/** True if the payload is a folder, whatever it holds. A bag may be one, or be packed. */
export const isOfFolder = (type: SubmissionType | undefined): boolean =>
  type === 'folder' || type === 'each-file' || type === 'each-folder'

/** Source of the bytes of an object. */
export const ObjectPayload = t.intersection(
  [
    t.type({ url: PayloadUrl, type: ObjectType }),
    t.partial({
      /** The name that a single file gets in the object. */
      name: short(4096),
      digest: PayloadDigest,
      /** Bytes, as the depositor declares. */
      size: NonNegativeInteger,
    }),
  ],
  'object payload',
)
export type ObjectPayload = t.TypeOf<typeof ObjectPayload>

/**
 * An object that a payload lists: one job is made of it. Its own ids and description take precedence over the
 * submission's.
 */
export const ListedObject = t.intersection(
  [
    t.type({ payload: ObjectPayload, localIds: t.array(LocalId) }),
    t.partial({ primary: Ark, description: Description }),
  ],
  'listed object',
)
export type ListedObject = t.TypeOf<typeof ListedObject>

const aPath = short(4096)

/** The depositor's metadata of a file; its digests are verified. */
export const DeclaredFile = t.partial(
  {
    mimeType: short(255),
    /** As written in the manifest. */
    lastModified: short(64),
    /** Lower-case hex, by algorithm. */
    digests: t.record(short(32), short(256)),
  },
  'declared file',
)
export type DeclaredFile = t.TypeOf<typeof DeclaredFile>

/** File format, as a program identified it. */
export const FileFormat = t.partial(
  {
    mimeType: short(255),
    /** Name of a format registry, such as `pronom`, with an id of it, such as `fmt/43`. */
    registry: short(64),
    id: short(255),
    name: short(255),
    version: short(64),
  },
  'file format',
)
export type FileFormat = t.TypeOf<typeof FileFormat>

/** A file of a stored version, by its logical path; below `producer/` is its original name. */
export const ObjectFile = t.intersection(
  [
    t.type({
      path: aPath,
      /** Bytes. */
      size: NonNegativeInteger,
      sha256: annotate(
        t.refinement(t.string, (s) => /^[0-9a-f]{64}$/.test(s), 'SHA-256 in lower-case hex'),
        { pattern: '^[0-9a-f]{64}$' },
      ),
    }),
    t.partial({ declared: DeclaredFile, format: FileFormat }),
  ],
  'object file',
)
export type ObjectFile = t.TypeOf<typeof ObjectFile>

/** Limits per message, and per event. */
export const maxListedObjects = 200
export const maxListedFiles = 1000
/** Characters of their JSON: topics and logs accept a megabyte at once. */
export const maxPageLength = 500_000

export const pageOf = <Codec extends t.Mixed>(codec: Codec, max: number) =>
  annotate(
    t.refinement(
      t.array(codec),
      (list) => list.length <= max,
      `list of at most ${max}, of ${maxPageLength} characters together`,
    ),
    { maxItems: max },
  )

export const isPage = (list: readonly unknown[]): boolean =>
  list.length === 0 || JSON.stringify(list).length <= maxPageLength

/** Divides a list into pages that messages and events accept. */
export function* pages<Item>(items: Iterable<Item>, max: number): Generator<readonly Item[]> {
  let page: Item[] = []
  let length = 0
  for (const item of items) {
    const itemLength = JSON.stringify(item).length + 1
    if (page.length === max || (page.length > 0 && length + itemLength > maxPageLength - 2)) {
      yield page
      page = []
      length = 0
    }
    page.push(item)
    length += itemLength
  }
  if (page.length > 0) yield page
}
