import {
  type ArchiveMessage,
  archivesOf,
  sighted,
  withdrawnArchive,
} from '../../domain/chain/archive-files.ts'
import { chainSource } from '../../domain/chain/outputs.ts'
import { embargoIn } from '../../domain/chain/state.ts'
import { archives as archivesView } from '../../domain/chain/views.ts'
import type { EmbargoWord } from '../../domain/kernel/embargo.ts'
import { is } from '../../domain/kernel/read-views.ts'
import type { RowOf } from '../../domain/kernel/view.ts'
import { pagesOf } from '../../domain/kernel/view-pages.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ViewStore } from '../../ports/view-store.ts'
import type { Execute } from '../runtime/execute.ts'
import type { Offered, RuleWork } from './hand-over.ts'
import { note } from './sending.ts'

interface Dependencies {
  readonly viewStore: Pick<ViewStore, 'query'>
  readonly execute: Execute
  readonly clock: Clock
  /** Name and root of the storage; the root is an absolute path or `s3://…`, without a slash at its end. */
  readonly store: string
  readonly root: string
  /** The embargo that a version's own files say. Throws `UnavailableError`. */
  readonly embargoOf: (object: string, version: number) => Promise<EmbargoWord>
  /** SHA-256 of all files that a version has, also of those that earlier ones brought. Throws `UnavailableError`. */
  readonly carriedBy: (object: string, version: number) => Promise<ReadonlySet<string>>
  /** Waits until the views have all that is in the log now. Throws if they do not get there. */
  readonly viewsCatchUp: () => Promise<void>
}

type ArchiveRow = RowOf<typeof archivesView>

/**
 * The rule `indexing`: archive files of versions are indexed where they lie. The dossier names them before any message about them
 * goes out: what indexing says of a file later finds its object.
 */
export const indexingWork = (deps: Dependencies): RuleWork => ({
  rule: 'indexing',
  store: async () => deps.store,
  offer: (offered) => offer(offered, deps),
  withdraw: async ({ object, keep, reason, state }) => {
    const there = await rowsOf(object, deps)
    // Those that were withdrawn before the process ended are there, too: a repetition sends the same.
    const taken = there.filter(({ version }) => version > keep)
    const again = state.versions.get(keep)?.embargoUntil
    const carried = again === undefined ? new Set() : await deps.carriedBy(object, keep)
    const left = there.filter(({ version, sha256 }) => version <= keep && carried.has(sha256))
    return {
      messages: [
        ...taken.map(({ repository, name }) => withdrawnArchive(repository, name, reason)),
        // The embargo of the version that is the last again.
        ...left.flatMap((row) =>
          again === undefined ? [] : [sighted({ ...deps, embargoUntil: again }, row)],
        ),
      ],
      parts: taken.length,
      shared: 0,
    }
  },
})

const offer: (offered: Offered, deps: Dependencies) => ReturnType<RuleWork['offer']> = async (
  { event, of, embargoUntil, brought, listed, state },
  deps,
) => {
  const { object, version, store } = of
  const own = embargoUntil ?? (await deps.embargoOf(object, version))
  const last = embargoIn(state)
  const files = archivesOf(of, brought, listed)
  const by = { actor: chainSource, at: deps.clock.now() }
  if (files.length > 0)
    await note(event, { type: 'NoteArchives', version, store, files, ...by }, deps, 'archives')
  // A version that comes late says nothing of files that the last one has, too.
  const isLate = last !== undefined && last.version > version
  const later = isLate && files.length > 0 ? await deps.carriedBy(object, last.version) : undefined
  const messages: ArchiveMessage[] = files.map((file) =>
    sighted({ ...deps, embargoUntil: last && later?.has(file.sha256) ? last.until : own }, file),
  )
  if (last !== undefined && !isLate && last.until !== own)
    for (const row of await rowsOf(object, deps))
      if (row.version < version && listed.has(row.sha256))
        messages.push(sighted({ ...deps, embargoUntil: own }, row))
  return { messages, parts: files.length, shared: 0, embargoUntil: own }
}

/** All archive files of the object. */
const rowsOf = async (object: string, deps: Dependencies): Promise<readonly SentRow[]> => {
  await deps.viewsCatchUp()
  return [...pagesOf(deps.viewStore, archivesView, { where: [is('object', object)] })]
    .flat()
    .map(({ repository, name, path, version, sha256 }) => ({ repository, name, path, version, sha256 }))
}

type SentRow = Pick<ArchiveRow, 'repository' | 'name' | 'path' | 'version' | 'sha256'>
