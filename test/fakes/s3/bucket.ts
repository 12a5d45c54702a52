import type { Algorithm, ChecksumType } from './checksums.ts'
import { type ListedName, type NameSource, SortedNames } from './names.ts'
import { Refusal } from './refusal.ts'

export interface Part {
  readonly number: number
  readonly bytes: Buffer
  /** Without quotes. */
  readonly etag: string
  readonly checksum?: string
}

export interface StoredObject {
  readonly key: string
  /** `null` where versions are not kept. */
  readonly versionId: string
  readonly isDeleteMarker: boolean
  readonly bytes: Buffer
  /** Without quotes. */
  readonly etag: string
  readonly modifiedAt: Date
  /** Headers of the object that come back as they were put: content-type, content-encoding, x-amz-meta-… */
  readonly headers: Readonly<Record<string, string>>
  readonly storageClass: string
  readonly checksums: Readonly<Partial<Record<Algorithm, string>>>
  readonly checksumType?: ChecksumType
  /** Of a multipart upload alone. */
  readonly parts?: readonly Part[]
  readonly restored?: boolean
}

export interface Upload {
  readonly id: string
  readonly key: string
  readonly startedAt: Date
  readonly headers: Readonly<Record<string, string>>
  readonly algorithm: Algorithm
  readonly checksumType: ChecksumType
  readonly storageClass: string
  readonly parts: Map<number, Part>
}

/** The objects of one bucket, their versions and the uploads that are under way. */
export class Bucket {
  readonly name: string
  readonly uploads = new Map<string, Upload>()
  isVersioned = false
  /** Names that are listed, and are not stored: 10 million of them need no memory. */
  names: NameSource | undefined
  readonly #versions = new Map<string, StoredObject[]>()
  readonly #sorted = new SortedNames(() => this.#listed())
  #frozen: readonly ListedName[] | undefined
  #count = 0

  constructor(name: string) {
    this.name = name
  }

  /** Newest first. */
  versions(key: string): readonly StoredObject[] {
    return this.#versions.get(key) ?? []
  }

  get keys(): readonly string[] {
    return [...this.#versions.keys()]
  }

  /** The object itself; undefined where there is none, or where a delete marker stands. */
  current(key: string): StoredObject | undefined {
    const [newest] = this.versions(key)
    return newest?.isDeleteMarker ? undefined : newest
  }

  add(object: Omit<StoredObject, 'versionId'>): StoredObject {
    const stored = { ...object, versionId: this.isVersioned ? this.#nextVersion() : 'null' }
    const others = this.versions(object.key).filter(({ versionId }) => versionId !== stored.versionId)
    this.#set(object.key, [stored, ...others])
    return stored
  }

  /** Puts what `change` makes of one version in its place. */
  replace(object: StoredObject, change: Partial<StoredObject>): void {
    this.#set(
      object.key,
      this.versions(object.key).map((version) => (version === object ? { ...object, ...change } : version)),
    )
  }

  /** Removes one version for ever; returns it where there was one. */
  remove(key: string, versionId: string): StoredObject | undefined {
    const found = this.versions(key).find((version) => version.versionId === versionId)
    this.#set(
      key,
      this.versions(key).filter((version) => version !== found),
    )
    return found
  }

  /** Lists stay as they are now until `thaw`, as those of a server do that is behind its own writes. */
  freezeListing(): { thaw(): void } {
    this.#frozen = this.#listed()
    this.#sorted.forget()
    return {
      thaw: () => {
        this.#frozen = undefined
        this.#sorted.forget()
      },
    }
  }

  /** Names from `key` on, in the order of their UTF-8 bytes. */
  from(key: string): Iterable<ListedName> {
    return this.names?.(key) ?? this.#sorted.from(key)
  }

  upload(key: string, id: string): Upload {
    const upload = this.uploads.get(id)
    if (upload?.key !== key) throw new Refusal(404, 'NoSuchUpload', 'The specified upload does not exist.')
    return upload
  }

  #set(key: string, versions: StoredObject[]): void {
    if (versions.length === 0) this.#versions.delete(key)
    else this.#versions.set(key, versions)
    this.#sorted.forget()
  }

  #listed(): readonly ListedName[] {
    if (this.#frozen !== undefined) return this.#frozen
    return this.keys.flatMap((key) => {
      const object = this.current(key)
      if (object === undefined) return []
      const { etag, modifiedAt, storageClass, checksums, checksumType, bytes } = object
      return [{ key, etag, modifiedAt, storageClass, size: bytes.length, checksums, checksumType }]
    })
  }

  #nextVersion(): string {
    return `v${String(++this.#count).padStart(8, '0')}`
  }
}
