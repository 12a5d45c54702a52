import { pathOf } from '../../address/address.ts'

interface ArchiveFile {
  readonly repository: string
  readonly name: string
}

export const fileAt = ({ repository, name }: ArchiveFile): string =>
  pathOf('/indexing/files/:repository/:name', { repository, name })

export const filesAt = (asked: Readonly<Record<string, string>>): string =>
  `/indexing/files?${new URLSearchParams(asked)}`

export const capturesAt = (asked: Readonly<Record<string, string>>): string =>
  `/indexing/captures?${new URLSearchParams(asked)}`
