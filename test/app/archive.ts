import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { type Running, startRoles } from '#src/app/roles.ts'
import type { System } from '#src/app/system.ts'
import { orThrow } from '#src/async/unavailable.ts'
import { contentTopic } from '#src/domain/fixity/messages.ts'
import { storeDecider } from '#src/domain/fixity/store/decide.ts'
import { defaultPolicy, storeStream } from '#src/domain/fixity/store/events.ts'
import { routeTo } from '#src/processors/runtime/route.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { openTestSystem } from '../fakes/system.ts'
import { patience } from '../patience.ts'

type Roles = Parameters<typeof startRoles>[1]

/** A system that is closed when the test is over. */
export const testSystem = async (...opening: Parameters<typeof openTestSystem>): Promise<System> => {
  const system = await openTestSystem(...opening)
  onTestFinished(system.close)
  return system
}

/** Roles that stop when the test is over, before their system closes. */
export const started = async (system: System, roles: Roles) => {
  const running = await startRoles(system, roles)
  onTestFinished(() => running.stop(0))
  return running
}

/** A folder with files of these names and contents. */
export const folderOf = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const root = await mkdtemp(join(tmpdir(), 'fonds-content-'))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 10 }))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

export const registerFolder = async (system: System, store: string, root: string): Promise<void> => {
  const route = routeTo(storeDecider, storeStream(store), {
    type: 'RegisterStore',
    store,
    kind: 'folder',
    root,
    policy: defaultPolicy,
    actor: 'ada',
    at: system.clock.now(),
  })
  const envelope = {
    stream: route.stream,
    command: route.command as never,
    causationId: store,
    correlationId: store,
  }
  await system.execute(route.decider, envelope)
}

export const produce = (system: System, ...data: readonly object[]) =>
  reportOnTopic(
    system,
    contentTopic,
    'https://repository.example',
    data.map((one) => ({ type: 'content.recorded', data: { store: 'main', checksums: [], ...one } })),
  )

/** Resolves when all messages are handled, and what came of them is to be seen in all views. */
export const shown = async ({ broker, eventStore }: System, { projections }: Running): Promise<void> => {
  await vi.waitUntil(
    async () =>
      (await orThrow(broker.groups())).every((group) => group.partitions.every((p) => p.lag === 0n)),
    { interval: 1, timeout: patience },
  )
  await projections?.whenCaughtUp(await orThrow(eventStore.head()))
}
