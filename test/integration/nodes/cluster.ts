import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openViewStore } from '../../../infra/views/sqlite/view-store.ts'
import type { Config } from '../../../src/app/config/settings.ts'
import { groupPositions } from '../../../src/app/lags.ts'
import type { System } from '../../../src/app/system.ts'
import { ensureTopics } from '../../../src/app/topics.ts'
import { livePosition } from '../../../src/async/caught-up.ts'
import { askCommand } from '../../../src/cli/ask-command.ts'
import type { ViewStore } from '../../../src/ports/view-store.ts'
import { projectionsOf } from '../../../src/workflows/workflow-model.ts'
import { openHome } from '../../e2e/open-home.ts'
import { launch, type Started, start, until, useFolder } from '../../e2e/run-fonds.ts'

/* Several machines on one: nodes with homes of their own, a Kafka that can be restarted, and a log that others keep. */

/** A process that does nothing but keep the log, and speaks EventStoreDB's protocol. */
export const useLogKeeper = async () => {
  const { home } = useFolder()
  const open = async (port: string) => {
    const keeper = start(['start', '--roles', 'gateway', '--gateway', port], { home })
    const [, found] = await keeper.says(/protocol on port (\d+)/)
    return { keeper, port: found! }
  }
  const { keeper, port } = await open('0')
  let present = keeper
  return {
    address: `esdb://127.0.0.1:${port}?tls=false`,
    /** As a machine that loses power. */
    kill: async () => {
      present.child.kill('SIGKILL')
      await present.exit
    },
    comeBack: async () => {
      present = (await open(port)).keeper
    },
  }
}

export type Settings = Partial<Config>

export interface Node extends Started {
  readonly home: string
}

export const startNode = (
  home: string,
  settings: Settings,
  roles?: string,
  sessionMillis?: number,
): Node => ({
  ...launch(process.execPath, [
    // kafkajs sets timers in the past.
    '--disable-warning=TimeoutNegativeWarning',
    join(import.meta.dirname, 'node.ts'),
    home,
    JSON.stringify({ dutySeconds: 3, ...settings }),
    ...(roles ? [roles] : []),
    ...(roles && sessionMillis ? [String(sessionMillis)] : []),
  ]),
  home,
})

/** True; throws what a node said that ended by itself: what it would have done is waited for in vain. */
export const areAlive = (nodes: readonly Started[]): true => {
  for (const { child, stderr } of nodes)
    if (child.exitCode !== null) throw new Error(`a node ended with ${child.exitCode}:\n${stderr()}`)
  return true
}

/** Throws where it ended before. */
export const isAtWork = (node: Started): boolean => areAlive([node]) && node.stderr().includes('at work')

/** Stores that others keep, so that what is said of their content is taken. */
export const registerStores = async (system: System, root = useFolder().root): Promise<void> => {
  const stores = [
    { store: 'folder', root },
    { store: 'elsewhere', kind: 'external' },
  ]
  for (const store of stores)
    await askCommand(
      system,
      'fixity.register-store',
      { ...store, lagSeconds: 0 },
      { actor: 'test', reason: 'test' },
    )
}

/** The servers as one more machine sees them, which folds nothing. Topics are made, those of events too. */
export const observe = async (settings: Settings, home = useFolder().home): Promise<System> => {
  const system = await openHome(home, settings)
  onTestFinished(() => system.close())
  await ensureTopics(system, true)
  return system
}

export const viewsOf = (home: string): ViewStore => {
  const views = openViewStore(join(home, 'views.db'))
  onTestFinished(() => views.close())
  return views
}

/** Every message that is on the topics now is handled. */
export const areHandled = async (system: System): Promise<boolean> =>
  (await groupPositions(system)).every(({ committed, end }) => committed >= end)

/** What killed nodes had in hand is handled in small parts, each in its turn: long on a machine that has other work. */
export const handledSeconds = 20 * 60

/** Waits for that; where it does not come, throws what waits and what each node said last. */
export const untilHandled = async (system: System, nodes: readonly Started[]): Promise<void> => {
  try {
    await until('every message is handled', () => areAlive(nodes) && areHandled(system), handledSeconds)
  } catch (error) {
    const waiting = (await groupPositions(system)).filter(({ committed, end }) => committed < end)
    const lines = waiting.map(
      ({ group, topic, partition, committed, end, members }) =>
        `${group} ${topic}/${partition}: ${committed} of ${end}, ${members} members`,
    )
    const last = nodes.map(({ stderr }, index) => `node ${index}:\n${stderr().slice(-3000)}`)
    throw new Error([String(error), ...lines, ...last].join('\n'), { cause: error })
  }
}

export const haveReached = (system: System, views: ViewStore, position: bigint): boolean =>
  projectionsOf(system.workflows).every(({ name }) => livePosition(views, name) >= position)

/** How far each projection has come, for people who ask why it is not there. */
export const positionsOf = (system: System, views: ViewStore): Readonly<Record<string, string>> =>
  Object.fromEntries(
    projectionsOf(system.workflows).map(({ name }) => [name, `${livePosition(views, name)}`]),
  )

/** All rows of all views, as text that can be compared; positions of the log are left out of none. */
export const contentOf = (views: ViewStore): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    views.views().map(({ name }) => [
      name,
      views
        .query(name, {})
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  )
