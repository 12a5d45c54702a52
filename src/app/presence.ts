import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { v7 as uuid } from 'uuid'
import { orThrow, UnavailableError, unavailable } from '../async/unavailable.ts'
import { Text, Time } from '../domain/kernel/codecs.ts'
import {
  differencesFrom,
  inWords,
  isAtWork,
  type Node,
  presence,
  presenceStream,
  presentAt,
} from '../domain/kernel/presence.ts'
import { SECOND } from '../domain/kernel/time.ts'
import { executor } from '../processors/runtime/execute.ts'
import { lastEventStates } from '../processors/runtime/last-event.ts'
import { effectiveOf } from './config/log-settings.ts'
import { archiveKeys, archiveSetting } from './config/settings.ts'
import { leaderName } from './node-names.ts'
import type { System } from './system.ts'

/** Interval at which a node publishes its presence, and the silence after which it counts as ended. */
const beatMillis = 20 * SECOND
const silentMillis = 70 * SECOND
/** Most events of its stream: each one has the whole state. */
const keptEvents = 10

type Showing = Pick<System, 'config' | 'settings' | 'eventStore' | 'processLock' | 'clock' | 'log'>

export interface Presence {
  /**
   * Publishes the process with its effective settings. Throws `UnavailableError` with a sentence about the differences
   * if nodes at work have other settings: such a process does none of their work.
   */
  show(): Promise<void>
  /** Publishes it repeatedly, until the signal aborts. */
  keep(signal: AbortSignal): Promise<void>
  leave(): Promise<void>
}

/** Settings that processes of one archive must share; paths if they share a home. */
const compared = {
  settings: archiveKeys.filter((key) => !archiveSetting(key).isPath),
  folders: archiveKeys.filter((key) => archiveSetting(key).isPath),
}

export const presenceOf = (system: Showing, roles: readonly string[]): Presence => {
  const { eventStore, processLock, clock, log } = system
  const name = leaderName()
  const since = clock.now()
  let isShown = false

  const write = async (command: Parameters<typeof presence.decide>[0]) => {
    const cause = uuid()
    const written = await executor(eventStore, lastEventStates(eventStore))(presence, {
      ...{ stream: presenceStream, command, causationId: cause, correlationId: cause },
    })
    if (isLeft(written)) throw unavailable(written.left)
    if (written.right.kind === 'rejected') throw new UnavailableError(written.right.rejection.message)
  }

  const show = async () => {
    const at = clock.now()
    const nodes = await shownNodes(system)
    if (nodes.length === 0) await orThrow(eventStore.keepLatest(presenceStream, keptEvents))
    const lock = processLock.mark()
    const node: Node = {
      ...{ name, roles, since, at, millis: silentMillis, ...self(system) },
      needsStart: system.settings.needsStart(),
      ...(lock && { lock }),
    }
    await write({ type: 'Show', actor: name, at, node, compared, ended: endedAmong(nodes, system) })
    isShown = true
  }

  return {
    show,
    keep: async (signal) => {
      for (;;) {
        await clock.sleep(beatMillis, signal)
        if (signal.aborted) return
        await show().catch((error: unknown) => {
          if (!(error instanceof UnavailableError)) throw error
          log.warn({ err: error }, 'cannot publish the presence of this process; retrying at the next beat')
        })
      }
    },
    leave: async () => {
      if (!isShown) return
      isShown = false
      await write({ type: 'Leave', actor: name, at: clock.now(), name }).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error
        log.debug(
          { err: error },
          'cannot publish that this process ends; others count it as running until its presence expires',
        )
      })
    },
  }
}

const self = ({ config }: Pick<System, 'config'>) => ({
  host: hostname(),
  home: resolve(config.home),
  settings: effectiveOf(config),
})

/** Returns all nodes of the latest event, including ended ones. Throws `UnavailableError`. */
export const shownNodes = async ({ eventStore }: Pick<System, 'eventStore'>): Promise<readonly Node[]> =>
  (await orThrow(() => lastEventStates(eventStore).load(presence, presenceStream))).state

const endedAmong = (
  nodes: readonly Node[],
  { processLock }: Pick<System, 'processLock'>,
): readonly string[] => nodes.filter(({ lock }) => lock && processLock.hasEnded(lock)).map(({ name }) => name)

/** Returns the nodes that are present, whatever their roles. Throws `UnavailableError`. */
export const presentNodes = async (
  system: Pick<System, 'eventStore' | 'processLock' | 'clock'>,
): Promise<readonly Node[]> => {
  const nodes = await shownNodes(system)
  return presentAt(nodes, system.clock.now(), endedAmong(nodes, system))
}

/** A process as it is published: of a secret only that it is set. */
export const ShownNode = t.type({
  ...{ name: Text, host: Text, home: Text, roles: t.readonlyArray(Text), since: Time, at: Time },
  settings: t.readonly(t.record(Text, t.string)),
  needsStart: t.readonlyArray(Text),
})

export const shownNode = ({ millis: _, lock: __, ...node }: Node): t.TypeOf<typeof ShownNode> => node

/** Returns why this process leaves all work to those at work; undefined if its settings equal theirs. */
export const whyNotHere = (system: Pick<System, 'config'>, nodes: readonly Node[]): string | undefined => {
  const differences = differencesFrom(nodes.filter(isAtWork), { name: '', ...self(system) }, compared)
  return differences.length > 0 ? inWords(differences) : undefined
}
