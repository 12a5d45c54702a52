import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetch } from 'undici'
import { v4 as uuid } from 'uuid'
import { expect, it } from 'vitest'
import { batches, jobs, versions } from '../../../src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '../../../src/domain/kernel/read-views.ts'
import { submitBatch } from '../../../src/workers/ingest/submit/submit.ts'
import { launch, type Started, stop, until } from '../../e2e/run-fonds.ts'
import { server } from '../servers.ts'
import { observe, useLogKeeper, viewsOf } from './cluster.ts'
import { addressOf, gid, ownFolder, sharedFolder, uploadFiles, useBucket, users } from './own-homes.ts'

/* Two nodes as the shipped manifests set them up: a home of their own each, which the other cannot read, one storage root: on a volume, or in a bucket. */

const kafka = server('kafka')
const isRoot = process.getuid?.() === 0
const command = join(import.meta.dirname, '../../../bin/fonds')
const uploads = 6

const upload = (address: string, name: string) => uploadFiles(address, { [`${name}.txt`]: name })

it.skipIf('absent' in kafka || !isRoot).each([
  [
    'each with a work folder of its own; one with another storage takes in nothing',
    { sharesWork: false, inBucket: false },
  ],
  ['which share the work folder', { sharesWork: true, inBucket: false }],
  ['which share no volume, but a bucket', { sharesWork: false, inBucket: true }],
])('two nodes, %s, take in what was handed to either', async (_, { sharesWork, inBucket }) => {
  const bucket = inBucket ? await useBucket() : undefined
  if (inBucket && !bucket) return
  const keeper = await useLogKeeper()
  const shared = sharedFolder()
  const servers = {
    FONDS_BROKER: `kafka://${'absent' in kafka ? '' : kafka.address}`,
    FONDS_TOPIC_PREFIX: `${uuid()}-`,
    FONDS_EVENT_STORE: keeper.address,
    FONDS_PARTITIONS: '4',
    FONDS_HOME_MODE: 'group',
    FONDS_CLAIM_SECONDS: '5',
    FONDS_IDLE_MIN_SECONDS: '1',
    FONDS_IDLE_MAX_SECONDS: '1',
    ...(sharesWork && { FONDS_INGEST_WORK: join(shared, 'work') }),
    ...bucket?.env,
  }
  const owns = users.map(ownFolder)
  const start = (
    place: number,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = ['start', '--port', '0'],
  ): Started =>
    launch(
      command,
      args,
      { ...servers, HOME: owns[place]!, FONDS_HOME: join(owns[place]!, 'home'), ...env },
      '',
      { uid: users[place]!, gid },
    )
  const storage = bucket?.address ?? join(shared, 'storage')

  const nodes = users.map((_, place) => start(place, { FONDS_INGEST_STORAGE: storage }))
  const addresses = await Promise.all(nodes.map(addressOf))
  const handed = await Promise.all(
    Array.from({ length: uploads }, (_, i) => upload(addresses[i % 2]!, `letter-${i}`)),
  )
  const observer = await observe({
    broker: servers.FONDS_BROKER,
    topicPrefix: servers.FONDS_TOPIC_PREFIX,
    eventStore: keeper.address,
    partitions: 4,
  })
  // A file that one node alone may read, as its command line names it.
  const letter = join(owns[1]!, 'letter.txt')
  writeFileSync(letter, 'of node 2')
  chownSync(letter, users[1]!, gid)
  const submitting = start(1, { FONDS_INGEST_STORAGE: storage }, ['ingest', 'submit', letter])
  expect(await submitting.exit, submitting.stderr()).toBe(0)
  handed.push((JSON.parse(submitting.stdout()) as { readonly batch: string }).batch)
  const views = viewsOf(join(owns[0]!, 'home'))
  const isOver = (batch: string) => {
    const [row] = rowsIfFolded(views, batches, { where: [is('batch', batch)] })
    return row?.state === 'completed' || row?.state === 'failed'
  }
  await until('all that was uploaded is taken in', () => handed.every(isOver))
  expect(rowsIfFolded(views, jobs, {}).map(({ state, message }) => ({ state, message }))).toEqual(
    handed.map(() => ({ state: 'completed', message: null })),
  )
  expect(rowsIfFolded(views, versions, {})).toHaveLength(handed.length)
  // Each node did what was handed to it, up to where any may go on.
  const [first, second] = addresses.map((_, place) =>
    handed.filter((_, i) => (i === uploads ? 1 : i % 2) === place),
  )
  const sitesOf = (those: readonly string[] | undefined) =>
    new Set(
      those?.flatMap((batch) =>
        rowsIfFolded(views, jobs, { where: [is('batch', batch)] }).map(({ sourceSite }) => sourceSite),
      ),
    )
  if (inBucket) {
    // Any node may take in an upload; a file of its own the second alone.
    expect([...sitesOf(first)]).toEqual([''])
    expect(sitesOf(second).size).toBe(2)
  } else {
    expect(sitesOf(first).size).toBe(1)
    expect(sitesOf(second).size).toBe(1)
    expect([...sitesOf(first)]).not.toEqual([...sitesOf(second)])
  }

  // Whatever they share, the second comes back with a storage of its own.
  if (sharesWork || inBucket) return
  await stop(nodes[1]!)
  const alone = start(1, {})
  const address = await addressOf(alone)
  await alone.says(/ingest is stopped in this process: .*set FONDS_INGEST_STORAGE/)
  // Not before its views are up to date is it ready.
  await until('it says the same to who asks', async () => {
    const { idle = [] } = (await (await fetch(`${address}/readyz`)).json()) as { idle?: readonly string[] }
    return idle.some((why) => why.includes('set FONDS_INGEST_STORAGE'))
  })
  const waiting = await upload(address, 'one-more')
  await submitBatch(
    observer,
    uuid(),
    {
      profile: 'default',
      submitter: 'ada',
      payload: { url: pathToFileURL(join(shared, 'nothing')).href, type: 'file' },
      mode: 'add',
    },
    'fonds://test',
  )
  await until('the other node has worked since', () =>
    rowsIfFolded(views, jobs, {}).some(({ state }) => state === 'failed'),
  )
  expect(isOver(waiting)).toBe(false)
  await stop(alone)
  start(1, { FONDS_INGEST_STORAGE: storage })
  await until('what waited is taken in', () => isOver(waiting))
  expect(rowsIfFolded(views, jobs, { where: [is('batch', waiting)] })).toMatchObject([{ state: 'completed' }])
})
