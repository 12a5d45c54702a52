import { resolve } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { orThrow, UnavailableError } from '../../async/unavailable.ts'
import { fixityStoreCategory, fixityStores } from '../../domain/chain/inputs.ts'
import { rules } from '../../domain/chain/rules.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import { streamName } from '../../domain/kernel/event.ts'
import { giveCommand } from '../give-command.ts'
import type { WorkflowContext } from '../workflow-context.ts'
import type { ChainConfig } from './settings.ts'

type Context = Pick<WorkflowContext<ChainConfig>, 'config' | 'eventStore' | 'workflows' | 'execute' | 'clock'>

/**
 * Returns the name that the storage root has as a store of fixity, which is registered if it is not. Whatever policy a person gave
 * it holds. Throws `UnavailableError` where a store of this name has another root.
 */
export const fixityStoreOf = (context: Context): (() => Promise<string>) => {
  let isKnown = false
  return async () => {
    const { config } = context
    const store = config.chainStore
    if (isKnown) return store
    const root = rootOf(config)
    const known = await rootInLog(context, store)
    if (known === undefined) await register(context, store, root)
    else if (known !== root) throw new UnavailableError(otherRoot(store, known, root))
    isKnown = true
    return store
  }
}

export const otherRoot = (store: string, known: string, root: string): string =>
  `the store ${store} of fixity is ${known}, and ingest stores in ${root}: name another store with FONDS_CHAIN_STORE`

/** As fixity has it: without a slash at its end. */
export const rootOf = ({ ingestStorage }: Pick<ChainConfig, 'ingestStorage'>): string =>
  isBucketAddress(ingestStorage) ? ingestStorage.replace(/\/+$/, '') : resolve(ingestStorage)

const register = async (context: Context, store: string, root: string): Promise<void> => {
  const rejection = await giveCommand(
    context,
    'fixity.register-store',
    { store, kind: 'folder', root },
    {
      actor: 'chain',
      reason: `rule ${rules.fixity.name} of the chain: ${rules.fixity.says}`,
      cause: `chain/${store}/${root}`,
    },
  )
  if (rejection) throw new UnavailableError(`the storage root is no store of fixity: ${rejection.message}`)
}

const pageSize = 100

/** The root of a registered store; undefined if it is not registered. */
export const rootInLog = async (
  { eventStore }: Pick<Context, 'eventStore'>,
  store: string,
): Promise<string | undefined> => {
  let root: string | undefined
  for (let from = 0n; ; ) {
    const page = await orThrow(
      eventStore.read(streamName(fixityStoreCategory, store), from, 'forward', pageSize),
    )
    for (const event of page) {
      if (!fixityStores.specs.has(event.type)) continue
      const read = fixityStores.read(event)
      if (isLeft(read)) throw new UnavailableError(read.left)
      root = read.right.data.root ?? ''
    }
    const last = page.at(-1)
    if (!last || page.length < pageSize) return root
    from = last.revision + 1n
  }
}
