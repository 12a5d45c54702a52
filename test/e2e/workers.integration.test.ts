import { fetch } from 'undici'
import { expect, it } from 'vitest'
import { limits } from '../patience.ts'
import { writeContent } from './archive.ts'
import {
  ask,
  type Given,
  type Line,
  run,
  type Started,
  start,
  startServer,
  stop,
  until,
  useFolder,
} from './run-fonds.ts'

/* Workers in processes of their own, beside a server that handles what they report. */

const short = { FONDS_CLAIM_SECONDS: '2', FONDS_IDLE_MIN_SECONDS: '1', FONDS_IDLE_MAX_SECONDS: '1' }
/** No worker is killed: however slow the machine is, no claim runs out, and no item is checked again for that. */
const unhurried = { ...short, FONDS_CLAIM_SECONDS: '60' }
const withoutWorkers = ['--roles', 'processors,reactions,projections,api']

/** A store of these files, recorded and not yet checked, and a server. */
const archiveWith = async (files: Readonly<Record<string, Buffer>>, env: Given['env'] = short) => {
  const { home, root } = useFolder()
  for (const [path, bytes] of Object.entries(files)) writeContent(root, path, bytes)
  const given: Given = { home, env }
  await ask(['fixity', 'add', root, '--store', 'main'], given)
  const server = await startServer(given, withoutWorkers)
  const call = async (path: string, body?: unknown): Promise<Line> => {
    const init = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const response = await fetch(`${server.address}/api/v1/${path}`, init || {})
    return response.json()
  }
  const rows = async (view: string): Promise<readonly Line[]> =>
    (await call(`views/${view}?limit=1000`)).rows ?? []
  const startWorker = async (...args: readonly string[]): Promise<Started> => {
    const worker = start(['worker', 'fixity', ...args], given)
    await worker.says('is at work')
    return worker
  }
  return { given, server, call, rows, startWorker }
}

const ofType = (events: readonly Line[], type: string) => events.filter((event) => event.type === type)

it(
  'three workers share a store: each item is checked once a request, and a stopped worker leaves nothing behind',
  limits,
  async () => {
    // More than two workers take at once.
    const count = 600
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`file ${i}.bin`, Buffer.alloc(4_000, i)]),
    )
    const { given, server, call, rows, startWorker } = await archiveWith(files, unhurried)
    const workers = await Promise.all(
      [1, 2, 3].map(() => startWorker('--bytes-per-second', '400000', '--hands', '2')),
    )
    const allChecked = (since: string) =>
      until(`all checked since ${since}`, async () =>
        (await rows('fixity-items')).every(({ lastChecked }) => lastChecked !== null && lastChecked > since),
      )
    await allChecked('')
    const asked = new Date().toISOString()
    await call('commands/fixity.check-store', {
      input: { store: 'main' },
      actor: 'r.vermeer',
      reason: 'a test',
    })
    await allChecked(asked)

    for (const worker of workers) expect(await stop(worker), worker.stderr()).toBe(0)
    expect([...(await rows('fixity-claims')), ...(await rows('fixity-batches'))]).toEqual([])
    expect(await stop(server)).toBe(0)
    const events = await ask(['events'], given)
    const checked = ofType(events, 'BatchChecked').flatMap(({ data }) =>
      data.intact.flatMap(({ items }: Line) => items.map(({ path }: Line) => path)),
    )
    expect([...Map.groupBy(checked, String).values()].map((some) => some.length)).toEqual(
      Array(count).fill(2),
    )
    // A throttled worker takes urgent checks in a name of their own.
    const processes = ofType(events, 'BatchClaimed').map(({ data }) => data.holder.replace(/\/[^/]*$/, ''))
    expect(new Set(processes).size).toBe(3)
  },
)

const longItem = { 'long.bin': Buffer.alloc(3_000_000, 'x') }

it(
  "a killed worker's item is another's after the claim's time-out, and the late report of the first is refused",
  limits,
  async () => {
    const { given, rows, startWorker } = await archiveWith(longItem)
    const first = await startWorker('--bytes-per-second', '200000')
    const claim = await until('it is claimed', async () => (await rows('fixity-batches'))[0])
    first.child.kill('SIGKILL')
    await startWorker()
    await until('another has checked it', async () => (await rows('fixity-items'))[0].state === 'baselined')

    const late = {
      type: 'batch.observed',
      data: {
        batch: claim.batch,
        store: 'main',
        worker: claim.holder,
        observations: [
          {
            path: 'long.bin',
            content: { status: 'missing' },
            storage: { status: 'missing' },
            observedAt: new Date().toISOString(),
          },
        ],
      },
    }
    const told = { ...given, stdin: JSON.stringify(late) }
    expect(await run(['produce', 'fonds.fixity.observations', '--wait'], told)).toMatchObject({ code: 1 })
    expect(await rows('rejections')).toMatchObject([{ code: 'fenced' }])
    expect(await rows('fixity-items')).toMatchObject([{ state: 'baselined' }])
    const history = await ask(['history', 'main/long.bin'], given)
    expect(ofType(history, 'CheckClaimed').map(({ data }) => data.attempt)).toEqual(['penultimate'])
    expect(ofType(history, 'FixityDecided')).toHaveLength(1)
  },
)

it(
  'a living worker keeps its claim for as long as it reads; asked to stop it finishes first',
  limits,
  async () => {
    const { given, rows, startWorker } = await archiveWith(longItem)
    // Six seconds of reading under claims of two.
    const worker = await startWorker('--bytes-per-second', '500000')
    const { batch } = await until('it is claimed', async () => (await rows('fixity-batches'))[0])
    expect(await stop(worker), worker.stderr()).toBe(0)
    await until('the report is handled', async () => (await rows('fixity-items'))[0].state === 'baselined')
    const history = await ask(['history', batch], given)
    expect(ofType(history, 'BatchExtended').length).toBeGreaterThan(1)
    expect(ofType(history, 'BatchExpired')).toEqual([])
    expect(history.at(-1)).toMatchObject({ type: 'BatchChecked', data: { others: 0 } })
  },
)

it('an item that three workers died of waits for a person, and is checked once revived', limits, async () => {
  const { given, rows, startWorker } = await archiveWith(longItem)
  for (let death = 1; death <= 3; death++) {
    const worker = await startWorker('--bytes-per-second', '200000')
    // With others at first, then by itself.
    await until('it is claimed', async () =>
      death === 1
        ? (await rows('fixity-batches')).length > 0
        : (await rows('fixity-claims'))[0]?.fence === death - 1,
    )
    worker.child.kill('SIGKILL')
  }
  await until('it is parked', async () => (await rows('fixity-items'))[0].parked === 1)
  const [, whole] = await ask(['fixity', 'report'], given)
  expect(whole).toMatchObject({ expected: 1, parked: 1, unchecked: 0 })
  const by = ['--actor', 'r.vermeer', '--reason', 'the memory was replaced']
  await ask(['do', 'fixity.revive', 'store=main', 'path=long.bin', ...by], given)
  await startWorker()
  await until('it is verified', async () => (await rows('fixity-items'))[0].state === 'baselined')
})
