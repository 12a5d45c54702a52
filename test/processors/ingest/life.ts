import fc from 'fast-check'
import { isWorkState, type WorkState } from '#src/domain/ingest/transitions.ts'
import { idOf } from '#src/domain/kernel/event.ts'
import { batchIdOf, claim, ingestWorld, listed, submission } from './world.ts'

/* Lives of whole ingests: depositors, workers and people do what they like, in any order; messages come again, reactions
 * crash and begin again, clocks jump. Whatever happens, these hold. */

const deeds = [
  'submit',
  'open',
  'react',
  'react',
  'crash',
  'claim',
  'claim',
  'claim',
  'step',
  'step',
  'step',
  'step',
  'step',
  'fail',
  'late',
  'again',
  'time',
  'expire',
  'hold',
  'release',
  'resume',
  'delete',
  'force',
  'report',
  'mail',
  'batch',
] as const
export const deed = fc.record({ what: fc.constantFrom(...deeds), n: fc.nat(1000), m: fc.nat(1000) })

const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Held {
  readonly job: number
  readonly fence: number
}

/** What is known outside of the log. */
export const life = () => {
  const world = ingestWorld()
  const batches: string[] = []
  let held: Held[] = []
  /** What storage holds: it says the same version to the same job. */
  const stored = new Map<string, number[]>()
  /** What each claim was asked under, and what came of it. */
  const claims: { readonly holds: object; readonly outcome: string }[] = []

  const jobs = async () =>
    (await world.all()).filter(({ type }) => type === 'JobCreated').map(({ stream }) => Number(idOf(stream)))
  const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)]

  const open = async (batch: string, m: number) => {
    const count = m % 4
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'open' }))
    if (outcome.kind !== 'done' || !outcome.result) return
    const { fence } = outcome.result as { fence: number }
    if (m % 7 === 0) return
    if (count > 0) await world.send('objects.listed', { batch, fence, from: 0, objects: listed(count) })
    if (m % 11 === 0) await world.send('batch.failed', { batch, fence, message: 'unreadable' })
    else await world.send('batch.opened', { batch, fence, count, type: 'batch-manifest' })
  }

  const resultOf = async (job: number, fence: number, state: WorkState, m: number) => {
    const { found } = await world.job(job)
    if (state === 'estimating') return { spaceNeeded: m, sizeKnown: m > 0, priority: m % 100 }
    if (state === 'processing') {
      const ark = await arkFor(job, fence, found.ark, m)
      return ark && { ark, localIds: [] }
    }
    if (state !== 'storing') return {}
    const ark = found.ark!
    if ((await world.identifiers.claimObject({ job, fence }, ark))._tag === 'Left') return undefined
    const versions = stored.get(ark) ?? []
    if (!versions.includes(job)) stored.set(ark, [...versions, job])
    return {
      ark,
      version: stored.get(ark)!.indexOf(job) + 1,
      inventoryDigest: `d${job}`,
      files: 1,
      bytes: 1,
      listed: [{ path: 'a', size: 1, sha256 }],
      object: {
        batch: batches[0]!,
        profile: 'default',
        collection: 'default',
        owner: 'none',
        localIds: [],
        mode: 'add',
      },
    }
  }

  /** Half of the jobs have a local id, which two share: it is looked up, or claimed before a name is minted. */
  const arkFor = async (job: number, fence: number, known: string | undefined, m: number) => {
    const localId = job % 2 === 0 ? `box-${Math.floor(job / 4)}` : undefined
    if (localId === undefined) return known ?? mint(job, fence, m)
    const claimed = await world.identifiers.claimLocalId({ job, fence }, 'none', localId)
    if (claimed._tag === 'Left') return undefined
    const ark = claimed.right ?? known ?? (await mint(job, fence, m))
    const bound = await world.identifiers.bindLocalId({ job, fence }, 'none', localId, ark)
    return bound._tag === 'Right' ? ark : undefined
  }

  /** The minter proposes what another job may have. */
  const mint = async (job: number, fence: number, m: number): Promise<string> => {
    for (let n = m % 3; ; n++) {
      const ark = `ark:/99999/fk${n}`
      if ((await world.identifiers.reserveArk({ job, fence }, ark))._tag === 'Right') return ark
    }
  }

  const step = async ({ job, fence }: Held, m: number, fails: boolean) => {
    const { state } = await world.job(job)
    if (!isWorkState(state)) return
    if (fails) {
      await world.send('step.failed', { job, fence, state, message: 'broke', permanent: m % 9 === 0 })
      return
    }
    const result = await resultOf(job, fence, state, m)
    if (result) await world.send('step.done', { job, fence, state, result, release: m % 5 === 0 })
  }

  const claimJob = async (job: number, minutes = 10, holds: object = {}) => {
    const { state } = await world.job(job)
    const outcome = await world.onJob(job, claim(world, { type: 'ClaimJob', state, holds }, minutes))
    const isGranted = outcome.kind === 'done' && outcome.result !== undefined
    claims.push({ holds, outcome: isGranted ? `granted ${state}` : outcome.kind })
    if (outcome.kind === 'done' && outcome.result)
      held = [...held, { job, fence: (outcome.result as { fence: number }).fence }]
  }

  const onJobs: Readonly<Record<string, string>> = {
    hold: 'HoldJob',
    release: 'ReleaseJob',
    resume: 'ResumeJob',
    delete: 'DeleteJob',
    force: 'ForceFail',
  }
  /** Now and then all is paused, or the collection is on hold. */
  const holdsBy: Readonly<Record<number, object>> = { 1: { all: 'power' }, 2: { collection: 'moving' } }
  const onBatches = ['HoldBatch', 'ReleaseBatch', 'UpdateReport', 'DeleteBatch', 'SweepBatch']

  const report = async (batch: string) => {
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'report' }))
    if (outcome.kind === 'done' && outcome.result)
      await world.send('batch.reported', { batch, fence: (outcome.result as { fence: number }).fence })
  }

  const mail = async (batch: string, m: number) => {
    const [due] = (await world.batch(batch)).mails
    const outcome = await world.onBatch(batch, claim(world, { type: 'ClaimBatch', task: 'mail' }))
    if (outcome.kind !== 'done' || !outcome.result || !due) return
    const { fence } = outcome.result as { fence: number }
    await world.onBatch(batch, { type: 'StartMail', fence, ...due })
    if (m % 3 > 0) await world.send('mail.sent', { batch, fence, ...due, to: [] })
  }

  const act = async ({ what, n, m }: { what: (typeof deeds)[number]; n: number; m: number }) => {
    const batch = pick(batches, n)
    if (what === 'submit') {
      batches.push(batchIdOf(batches.length))
      await world.send('batch.submitted', { batch: batches.at(-1), ...submission }, 'api')
    } else if (what === 'react') await world.react(1 + (n % 5))
    else if (what === 'crash') world.crash(BigInt(n % 20))
    else if (what === 'time') {
      if (m % 4 === 0) world.clock.putForth(((n % 60) - 30) * 60_000)
      else world.clock.putForth((n % 20) * 60_000)
    } else if (what === 'again') {
      const message = pick(world.sent, n)
      if (message) await world.handle(message)
    } else if (batch !== undefined && what === 'open') await open(batch, m)
    else if (batch !== undefined && what === 'report') await report(batch)
    else if (batch !== undefined && what === 'mail') await mail(batch, m)
    else if (batch !== undefined && what === 'batch')
      await world.onBatch(batch, { type: pick(onBatches, m), confirmed: m % 3 > 0, by: 'admin' })
    else await onJob(what, n, m)
  }

  const onJob = async (what: (typeof deeds)[number], n: number, m: number) => {
    const job = pick(await jobs(), n)
    if (job === undefined) return
    if (what === 'claim') await claimJob(job, 1 + (m % 15), holdsBy[n % 8])
    else if (what === 'step' || what === 'fail') {
      const one = pick(held, n)
      if (one) await step(one, m, what === 'fail')
    } else if (what === 'late') await step({ job, fence: 1 + (m % 4) }, m, m % 2 === 0)
    else if (what === 'expire') await world.onJob(job, { type: 'ExpireClaim' })
    else if (onJobs[what]) await world.onJob(job, { type: onJobs[what], confirmed: m % 3 > 0 })
  }

  const working = async () => {
    const open: number[] = []
    for (const job of await jobs()) {
      const { state } = await world.job(job)
      if (isWorkState(state) || state === 'held') open.push(job)
    }
    return open
  }

  const endJob = async (job: number) => {
    world.clock.putForth(30 * 60_000)
    await world.onJob(job, { type: 'ReleaseJob' })
    for (let i = 0; i < 20 && isWorkState((await world.job(job)).state); i++) {
      await claimJob(job)
      const mine = held.at(-1)
      if (mine?.job === job) await step(mine, 1, false)
      world.clock.putForth(11 * 60_000)
    }
  }

  /** Everything that can end ends. */
  const end = async () => {
    await world.settle()
    for (const batch of batches) {
      world.clock.putForth(30 * 60_000)
      await world.onBatch(batch, { type: 'ReleaseBatch' })
      await open(batch, 1)
    }
    await world.settle()
    // One may wait for another that holds its object: each round ends one job at least.
    let left = await working()
    for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
      before = left.length
      for (const job of left) await endJob(job)
      left = await working()
    }
    await world.settle()
    for (const batch of batches) await report(batch)
    await world.settle()
  }

  return { world, batches, claims, act, end, jobs }
}

export type Life = ReturnType<typeof life>
