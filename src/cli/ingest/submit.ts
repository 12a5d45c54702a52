import { resolve } from 'node:path'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { sealedActor } from '../../app/sealed-by.ts'
import { ensureTopics } from '../../app/topics.ts'
import { errorMessage } from '../../async/errors.ts'
import { isOfFolder } from '../../domain/ingest/payload.ts'
import {
  type Submission,
  Submission as Submissions,
  type SubmittedPayload,
} from '../../domain/ingest/submission.ts'
import { type FilledIn, fillIn, payloadAtUrl, submissionOf } from '../../domain/ingest/submission-form.ts'
import { decode } from '../../domain/kernel/codecs.ts'
import { profileNamed } from '../../processors/ingest/submissions-processor.ts'
import { isLocal } from '../../workers/ingest/fetch/local-file.ts'
import { namedFolders, sitesOf } from '../../workers/ingest/ingester-context.ts'
import { localPayload } from '../../workers/ingest/payload/local-payload.ts'
import { objectionTo } from '../../workers/ingest/submit/objections.ts'
import { newBatch, submitBatch } from '../../workers/ingest/submit/submit.ts'
import { containerKind, noContainerName } from '../../workers/ingest/unpack/container.ts'
import { atHome } from '../../workers/runtime/at-home.ts'
import { isAddressBeneath } from '../../workflows/foreign-locations.ts'
import type { Session } from '../context.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { waitForBatch } from './wait-for-batch.ts'

interface SubmitFlags {
  readonly profile: string
  readonly submitter: string
  readonly eachFile?: boolean
  readonly eachFolder?: boolean
  readonly type?: string
  readonly update?: boolean
  readonly ark?: string
  readonly localId?: readonly string[]
  readonly who?: string
  readonly what?: string
  readonly when?: string
  readonly where?: string
  readonly note?: string
  readonly notify?: readonly string[]
  readonly callback?: string
  readonly digest?: string
  readonly name?: string
  readonly wait?: boolean
}

export const run = async (
  session: Session,
  what: string,
  flags: SubmitFlags,
): Promise<CliFailure | undefined> => {
  const submission = await submissionFrom(what, flags)
  if (isLeft(submission)) return submission.left
  const system = await session.system()
  if (!(await profileNamed(flags.profile, system.states)))
    return refused(
      `there is no profile ${flags.profile}`,
      'set it with a `profile.set` message on fonds.ingest.profiles, or leave --profile out',
    )
  await ensureTopics(system)
  const { payload } = submission.right
  const site = isAlone(payload.url, session.config) && { site: await sitesOf(session.config).home() }
  const batch = newBatch(undefined)
  const source = `fonds://submit/${await sealedActor(system, flags.submitter)}`
  const submit = () => submitBatch(system, batch, { ...submission.right, ...site }, source)
  if (flags.wait) return waitForBatch(session, system, batch, submit)
  await submit()
  const { output } = session
  await output.write(output.isTTY ? `submitted as batch ${batch}\n` : `${jsonText({ batch })}\n`)
  session.say(`Next: \`fonds start\` takes it in; \`fonds ingest batch ${batch}\` says how far it is.`)
  return undefined
}

/** A file of this machine, unless the setting says that all nodes have its folder. */
const isAlone = (url: string, config: Session['config']): boolean =>
  isLocal(url) && !isAddressBeneath(url, namedFolders(config))

/** As the fields of a form have it; what is wrong is said by the flag. */
const submissionFrom = async (what: string, flags: SubmitFlags): Promise<Either<CliFailure, Submission>> => {
  const filled = filledFrom(flags)
  if (isLeft(filled)) return filled
  const payload = await payloadFrom(what, filled.right)
  if (isLeft(payload)) return payload
  const submission = submissionOf(filled.right, payload.right)
  if (isLeft(submission)) return left(usage(submission.left.message))
  const objection = objectionTo(submission.right)
  if (objection) return left(usage(`${objection.path}: ${objection.message}`))
  // A path may be longer than what is kept.
  const kept = decode(Submissions, submission.right)
  return isLeft(kept) ? left(refused(kept.left)) : kept
}

const filledFrom = (flags: SubmitFlags): Either<CliFailure, FilledIn> => {
  const { digest, update, localId = [], notify = [] } = flags
  const type = typeFrom(flags)
  if (isLeft(type)) return type
  const [algorithm, value] = digest?.split(':', 2) ?? []
  if (digest !== undefined && !(algorithm && value))
    return left(usage(`--digest wants algorithm:hex, such as sha256:9f86…, got ${digest}`))
  const given: readonly (readonly [flag: string, field: string, text: string | undefined])[] = [
    ['--profile', 'profile', flags.profile],
    ['--submitter', 'submitter', flags.submitter],
    ['--update', 'mode', update ? 'update' : 'add'],
    ['--type', 'type', type.right],
    ['--ark', 'primaryIdentifier', flags.ark],
    ...localId.map((id) => ['--local-id', 'localIdentifier', id] as const),
    ['--who', 'creator', flags.who],
    ['--what', 'title', flags.what],
    ['--when', 'date', flags.when],
    ['--where', 'where', flags.where],
    ['--note', 'note', flags.note],
    ...notify.map((address) => ['--notify', 'notification', address] as const),
    ['--callback', 'callback', flags.callback],
    ['--name', 'filename', flags.name],
    ['--digest', 'digestType', algorithm],
    ['--digest', 'digestValue', value],
  ]
  let filled: FilledIn = {}
  for (const [flag, field, text] of given) {
    if (text === undefined) continue
    const next = fillIn(filled, field, text)
    if (isLeft(next)) return left(usage(next.left.message.replace(/^\w+:/, `${flag}:`)))
    filled = next.right
  }
  return right(filled)
}

const typeFrom = ({ eachFile, eachFolder, type }: SubmitFlags): Either<CliFailure, string | undefined> => {
  const given: readonly (readonly [flag: string, type: string | undefined])[] = [
    ['--each-file', eachFile ? 'each-file' : undefined],
    ['--each-folder', eachFolder ? 'each-folder' : undefined],
    [`--type ${type}`, type],
  ]
  const [one, ...more] = given.filter(([, type]) => type !== undefined)
  const other = more.find(([, type]) => type !== one?.[1])
  return one && other
    ? left(usage(`${one[0]} and ${other[0]} say two things; give one of them`))
    : right(one?.[1])
}

const isUrl = (what: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(what)

const payloadFrom = async (what: string, filled: FilledIn) => {
  if (isUrl(what)) {
    const asked = fillIn(filled, 'url', what)
    const payload = isLeft(asked) ? asked : payloadAtUrl(asked.right)
    return isLeft(payload) ? left(usage(payload.left.message)) : payload
  }
  const { type, digestType: algorithm, digestValue: value } = filled
  try {
    const payload = await localPayload(resolve(atHome(what)), { type, name: filled.filename })
    const wrong = contradiction(what, payload, filled)
    const digest = algorithm !== undefined && value !== undefined && { digest: { algorithm, value } }
    return wrong === undefined ? right({ ...payload, ...digest }) : left(usage(wrong))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return left(
      code === 'ENOENT'
        ? refused(`there is no ${what}`, 'check the path; a URL begins with https://')
        : refused(`${what} cannot be read: ${errorMessage(error)}`),
    )
  }
}

const contradiction = (
  what: string,
  { name, size }: SubmittedPayload,
  { type, filename }: FilledIn,
): string | undefined => {
  const isFolder = size === undefined
  if (isFolder && filename !== undefined) return `${what} is a folder; --name is for a file`
  if (type === undefined || isFolder === (isOfFolder(type) || type === 'bag')) return undefined
  if (isFolder) return `${what} is a folder, and no ${type}`
  if (type !== 'bag') return `${what} is a file; ${type} is for a folder`
  return name === undefined || containerKind(name) === undefined ? `${what} ${noContainerName}` : undefined
}
