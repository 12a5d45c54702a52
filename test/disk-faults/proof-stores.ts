import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadMasterKey, makeMasterKey } from '#infra/personal/master-key.ts'
import { originEntry } from '#src/domain/kernel/proof/origin-entry.ts'
import { openIn, origin, sealAll } from '../app/proof/sealer.ts'
import { proofLogIn, treeIn } from '../app/proof/tree-of-log.ts'
import { event } from '../contracts/new-event.ts'
import { fakeEventStore } from '../fakes/event-store.ts'
import type { Store } from './each-call.ts'

/* The archive's Merkle tree: whatever fails, the folder holds a whole tree of the log, and goes on from there. */

const logOf = async (counts: readonly number[]) => {
  const store = fakeEventStore()
  for (const [n, count] of counts.entries())
    await store.append(
      `a-${n % 3}`,
      'any',
      Array.from({ length: count }, () => event()),
    )()
  return store
}

const seenIn = async (folder: string) => {
  const tree = await treeIn(folder)
  return tree && [tree.origin, tree.size, tree.isOfEntries]
}

export const proofStores: Readonly<Record<string, Store>> = {
  'a new tree, with its keys': async (folder) => {
    const store = await logOf([])
    return {
      act: async () => openIn(folder, store).then((sealing) => 'close' in sealing && sealing.close()),
      seen: () => seenIn(folder),
    }
  },
  'a new key of personal values': async (folder) => ({
    act: () => makeMasterKey(folder),
    seen: async () => (await loadMasterKey(folder))?.length,
  }),
  'a tree that grows over a full tile': async (folder) => {
    const store = await logOf([100, 150])
    await sealAll(folder, store)
    await store.append(
      'a-0',
      'any',
      Array.from({ length: 300 }, () => event()),
    )()
    return {
      act: () => sealAll(folder, store, { perRead: 90, perHead: 1000n }),
      seen: () => seenIn(folder),
    }
  },
  'a tree in the place of another': async (folder) => {
    const store = await logOf([20])
    await sealAll(folder, store)
    const { size, root } = (await treeIn(folder))!
    const before = (await proofLogIn(folder).head())?.text
    const earlier = { origin, size: String(size), root }
    const instead = { earlier, event: originEntry(earlier, '') }
    return {
      act: async () => {
        const head = await proofLogIn(folder).head()
        if (head?.text.startsWith(`${origin}/2\n`)) return
        const sealing = await openIn(folder, store, { origin: `${origin}/2`, instead })
        if ('close' in sealing) sealing.close()
      },
      // In between nobody is shown a head. The earlier one is evidence: it stays, here or aside.
      seen: async () => {
        const places = ['proof', join('proof', 'earlier', 'archive.example_log')]
        const heads = places.map((place) => textIn(join(folder, place, 'checkpoint')))
        const isBegun = heads[0]?.startsWith(`${origin}/2\n`) ?? false
        return [isBegun && (await seenIn(folder)), heads.includes(before)]
      },
    }
  },
}

const textIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
