import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { sealedActor } from '../../app/sealed-by.ts'
import { ensureTopics } from '../../app/topics.ts'
import { errorMessage } from '../../async/errors.ts'
import { UnavailableError } from '../../async/unavailable.ts'
import { RepositoryName } from '../../domain/indexing/file.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { SECOND } from '../../domain/kernel/time.ts'
import { createHttpClient } from '../../workers/http/http-client.ts'
import { adoptList } from '../../workers/indexing/adopt-list.ts'
import { listSource } from '../../workers/indexing/listing/list-source.ts'
import type { Listed } from '../../workers/indexing/listing/listed.ts'
import { policyIn } from '../../workers/indexing/policy-in.ts'
import { type Polled, pollSource } from '../../workers/indexing/poll-source.ts'
import { indexingContext } from '../../workflows/indexing/context.ts'
import { bringToRest } from '../at-rest.ts'
import type { Session } from '../context.ts'
import { freshViews } from '../fresh-views.ts'
import { type CliFailure, refused, usage } from '../output/exit-codes.ts'
import { jsonText } from '../output/format.ts'
import { plural, visible } from '../output/text.ts'

interface AddFlags {
  readonly repository: string
  readonly indexed?: boolean
  readonly actor: string
}

export const run = async (
  session: Session,
  what: string,
  { repository, indexed, actor }: AddFlags,
): Promise<CliFailure | undefined> => {
  if (isLeft(RepositoryName.decode(repository)))
    return usage(`--repository: ${visible(repository)} is no name`, `it wants a ${RepositoryName.name}`)
  const location = /^(https?|s3):\/\//.test(what) ? what : resolve(what)
  if (location === resolve(what) && !(await isThere(location)))
    return refused(
      `${visible(location)} is not there`,
      'it wants a folder, s3://bucket/prefix, a list, or the address of a list',
    )
  const system = await session.system()
  await ensureTopics(system)
  await freshViews(session, system)
  const progress = session.progress('Listing')
  const tools = {
    ...system,
    policy: policyIn(system.config),
    source: `fonds://add/${await sealedActor(system, actor)}`,
    signal: session.signal,
    onSkipped: (skipped: string, reason: string) =>
      session.say(`${visible(skipped)} is left out: ${visible(reason)}`),
  }
  const client = createHttpClient({ stallMillis: system.config.stallSeconds * SECOND })
  let polled: Polled
  try {
    const { openContent } = indexingContext(system)
    const options = { client, signal: session.signal, openContent }
    const list = counted(listSource(location, options), progress.advance)
    polled = await (indexed ? adoptList : pollSource)(repository, list, tools)
  } catch (error) {
    if (session.signal.aborted || error instanceof UnavailableError) throw error
    return refused(`${visible(location)} cannot be read: ${errorMessage(error)}`)
  } finally {
    progress.done()
    await client.close()
  }
  if (isBucketAddress(location) && polled.listed + polled.skipped === 0)
    return refused(
      `${visible(location)} has no archive files below it`,
      'it wants s3://bucket, or s3://bucket/prefix',
    )
  await bringToRest(session, system)
  await writeSummary(session, polled)
  return undefined
}

async function* counted(list: AsyncIterable<Listed>, count: (n: number) => void): AsyncGenerator<Listed> {
  for await (const one of list) {
    count(1)
    yield one
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const writeSummary = async ({ output }: Session, { listed, news, skipped }: Polled): Promise<void> => {
  if (!output.isTTY) return void (await output.write(`${jsonText({ listed, news, skipped })}\n`))
  await output.write(
    `${plural(listed, 'file')} listed, ${news} with news, ${skipped} left out; \`fonds indexing report\` tells how far they are\n`,
  )
}
