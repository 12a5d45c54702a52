import type { ObjectFile } from '../../../domain/ingest/payload.ts'
import { files } from '../../../domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../domain/kernel/read-views.ts'
import type { ViewStore } from '../../../ports/view-store.ts'

/**
 * Adds known facts, beside size and digest, to the files of a version: of those that it brought, and, by the views, of
 * those that it carries over from the version before.
 */
export const knownFiles = (
  all: readonly ObjectFile[],
  { ark, version, brought }: { ark: string; version: number; brought: readonly ObjectFile[] },
  viewStore: Pick<ViewStore, 'query'>,
): readonly ObjectFile[] => {
  const before = rowsIfFolded(viewStore, files, { where: [is('object', ark), is('version', version - 1)] })
  const known = new Map<string, ObjectFile>()
  for (const { path, size, sha256, declared, format } of before)
    if (declared ?? format)
      known.set(path, { path, size, sha256, ...(declared && { declared }), ...(format && { format }) })
  for (const file of brought) known.set(file.path, file)
  return all.map((file) => {
    const facts = known.get(file.path)
    return facts?.sha256 === file.sha256 ? facts : file
  })
}
