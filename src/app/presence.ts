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

/** A node shows itself so often, and counts as gone when it was silent for so long. */
const beatMillis = 20 * SECOND
const silentMillis = 70 * SECOND
/** Of its stream: each event says everything. */
const keptEvents = 10

type Showing = Pick<System, 'config' | 'settings' | 'eventStore' | 'processLock' | 'clock' | 'log'>

export interface Presence {
  /**
   * Shows the process with its effective settings. Throws `UnavailableError` where others at work differ from it, with the sentence that
   * says in what: such a process does none of their work.
   */
  show(): Promise<void>
  /** Shows it again and again, until the signal aborts. */
  keep(signal: AbortSignal): Promise<void>
  leave(): Promise<void>
}

/** What processes of one archive have alike; paths where they share a home. */
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
          log.warn({ err: error }, 'this process could not show what it is set to')
        })
      }
    },
    leave: async () => {
      if (!isShown) return
      isShown = false
      await write({ type: 'Leave', actor: name, at: clock.now(), name }).catch((error: unknown) => {
        if (!(error instanceof UnavailableError)) throw error
        log.debug({ err: error }, 'others take this process for one at work, until it was silent for long')
      })
    },
  }
}

const self = ({ config }: Pick<System, 'config'>) => ({
  host: hostname(),
  home: resolve(config.home),
  settings: effectiveOf(config),
})

/** All of the latest event, those that are gone included. Throws `UnavailableError`. */
export const shownNodes = async ({ eventStore }: Pick<System, 'eventStore'>): Promise<readonly Node[]> =>
  (await orThrow(() => lastEventStates(eventStore).load(presence, presenceStream))).state

const endedAmong = (
  nodes: readonly Node[],
  { processLock }: Pick<System, 'processLock'>,
): readonly string[] => nodes.filter(({ lock }) => lock && processLock.hasEnded(lock)).map(({ name }) => name)

/** Nodes that show themselves, whatever their roles. Throws `UnavailableError`. */
export const presentNodes = async (
  system: Pick<System, 'eventStore' | 'processLock' | 'clock'>,
): Promise<readonly Node[]> => {
  const nodes = await shownNodes(system)
  return presentAt(nodes, system.clock.now(), endedAmong(nodes, system))
}

/** A process as it is told to others: of a secret only that it is set. */
export const ShownNode = t.type({
  ...{ name: Text, host: Text, home: Text, roles: t.readonlyArray(Text), since: Time, at: Time },
  settings: t.readonly(t.record(Text, t.string)),
  needsStart: t.readonlyArray(Text),
})

export const shownNode = ({ millis: _, lock: __, ...node }: Node): t.TypeOf<typeof ShownNode> => node

/** Why this process leaves all work to those at work; undefined where it is set as they are. */
export const whyNotHere = (system: Pick<System, 'config'>, nodes: readonly Node[]): string | undefined => {
  const differences = differencesFrom(nodes.filter(isAtWork), { name: '', ...self(system) }, compared)
  return differences.length > 0 ? inWords(differences) : undefined
}
