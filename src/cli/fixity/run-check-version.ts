import { recordingBucketUse } from '../../workflows/fixity/record-bucket-use.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { bytes, plural, visible } from '../output/text.ts'
import { checkVersion, type VersionSummary } from './check-version.ts'
import { rejecting } from './rejecting.ts'

export const runCheckVersion = async (
  session: Session,
  wanted: { readonly store: string; readonly path: string; readonly versionId: string },
  actor: string,
): Promise<CliFailure | undefined> => {
  const system = await session.system()
  await freshViews(session, system)
  const progress = session.progress('Reading', { unit: 'bytes' })
  let before = 0
  const summary = await rejecting(
    recordingBucketUse(system, () =>
      checkVersion(system, wanted, {
        actor,
        signal: session.signal,
        onBytes: (read) => {
          progress.advance(Math.max(0, read - before))
          before = read
        },
      }),
    ),
  )
  progress.done()
  const { output } = session
  await output.write(output.isTTY ? `${sentences(summary).join('\n')}\n` : `${jsonText(summary)}\n`)
  const { outcome, because } = summary
  if (outcome === 'agrees') return undefined
  return refused(
    because,
    outcome === 'unread'
      ? 'it is archived: have that version restored by the tools of the storage, then check it again'
      : 'nothing of the current version is changed by this; `fonds history` has the evidence',
  )
}

const sentences = ({
  store,
  path,
  versionId,
  size,
  modifiedAt,
  records,
  outcome,
  because,
}: VersionSummary) => [
  `Version ${visible(versionId)} of ${visible(path)} in ${store}: ${outcome}`,
  `  ${because}`,
  `  ${size === undefined ? 'of unknown size' : bytes(size)}, modified ${modifiedAt ?? 'at an unknown time'}; ${plural(records, 'record')} of this version`,
]
