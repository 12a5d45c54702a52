import { isLeft } from 'fp-ts/lib/Either.js'
import { bucketPlaceIn } from '../../domain/kernel/bucket-address.ts'
import type { Leftover, ProbeStep } from '../../ports/bucket-prober.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText, writeRows } from '../output/format.ts'
import { visible } from '../output/text.ts'
import { isNeeded, type ProbeSummary, probe } from './probe.ts'

interface ProbeFlags {
  readonly actor: string
  readonly reason: string
}

export const run = async (
  session: Session,
  address: string,
  { actor, reason }: ProbeFlags,
): Promise<CliFailure | undefined> => {
  const place = bucketPlaceIn(address)
  if (isLeft(place)) return usage(place.left)
  if (actor.trim() === '' || reason.trim() === '') return usage('--actor and --reason must have text')
  const { output, signal } = session
  const summary = await probe(await session.system(), address, { actor, reason, signal })
  if (summary.leftovers.length === 0) signal.throwIfAborted()
  if (output.isTTY) await writeTable(session, summary)
  else await output.write(`${jsonText(summary)}\n`)
  return failureIn(summary)
}

const titles: Readonly<Record<ProbeStep, string>> = {
  write: 'write an object',
  list: 'list it at once',
  read: 'read it, with its checksum',
  'if-none-match': 'refuse to write over it (If-None-Match)',
  'if-match': 'refuse to write over another (If-Match)',
  multipart: 'begin an upload in parts, and give it up',
  'list-uploads': 'list uploads in parts',
  delete: 'delete the object',
  'delete-versions': 'delete its versions',
}

const writeTable = async ({ output }: Session, { results }: ProbeSummary): Promise<void> => {
  const rows = results.map(({ step, works, note = null }) => ({
    works: works === 'not-tried' ? 'not tried' : works,
    what: titles[step],
    ingest: isNeeded(step) ? 'needs it' : '',
    note,
  }))
  await writeRows(output, [rows], {
    columns: [
      { key: 'works', tone: (works) => tones[works as keyof typeof tones] },
      { key: 'what', title: 'the bucket lets Fonds' },
      { key: 'ingest' },
      { key: 'note', leaveOut: 'middle' },
    ],
  })
  // A narrow terminal cuts the table's sentences: those that matter are written in full.
  for (const { step, works, note } of results)
    if (works === 'no' && note) await output.write(`${titles[step]}: ${visible(note)}\n`)
}

const tones = { yes: 'good', no: 'bad', 'not tried': 'quiet' } as const

const failureIn = ({ address, canStore, results, leftovers }: ProbeSummary): CliFailure | undefined => {
  if (leftovers.length > 0)
    return refused(
      `${address} keeps what was written: ${leftovers.map(named).join(', ')}`,
      'delete it with the tools of the server, once its lock, or a policy, lets you; no storage root is disturbed by it',
    )
  if (canStore) return undefined
  const lacking = results.filter(({ step, works }) => works !== 'yes' && isNeeded(step))
  return refused(
    `ingest cannot store in ${address}: ${lacking.map(({ step }) => titles[step]).join(', ')}`,
    `\`fonds storage policy ${address} --write\` prints the rights that it needs; docs/guides/storage.md says what else a server must do`,
  )
}

const named = ({ key, versionId, uploadId }: Leftover): string => {
  if (uploadId !== undefined) return `${visible(key)} (upload ${visible(uploadId)})`
  return versionId === undefined ? visible(key) : `${visible(key)} (version ${visible(versionId)})`
}
