import { type Manifest, type Publication, type Run, WrittenRunShape } from './manifest.ts'
import type { Origins } from './origins.ts'
import type { IndexChange, RefusedChange, WrittenRun } from './types.ts'

/** The run and the publication of a file's lines that hold now. */
interface Holding {
  readonly number: number
  readonly sha256: string
  readonly run: string
}
export type Holdings = Map<string, Holding>

export const holdingsOf = (live: readonly Run[], tableOf: (run: Run) => Origins): Holdings => {
  const holdings: Holdings = new Map()
  for (const run of live) {
    const ended = new Set(run.ended.map(([number]) => number))
    for (const publication of tableOf(run).publications) {
      const { number, sha256, posted } = publication
      const key = keyOfHolding(publication)
      if (ended.has(number) || posted === 'removed' || number < (holdings.get(key)?.number ?? 0)) continue
      holdings.set(key, { number, sha256, run: run.name })
    }
  }
  return holdings
}

/** Key of a holding: the file, or the digest of posted lines. */
export const keyOfHolding = ({
  file,
  posted,
  sha256,
}: Pick<Publication, 'file' | 'posted' | 'sha256'>): string => (posted ? `${posted} ${sha256}` : file)

type Lineage = Pick<Publication, 'file' | 'posted'>
const isPosted = { posted: true } as const

interface Changed {
  readonly manifest: Manifest
  readonly refused: readonly RefusedChange[]
  /** Runs whose lines the index has already. */
  readonly unneeded: readonly string[]
}

/**
 * Applies changes to the manifest and to `holdings`. A change whose run is refused is left out. Changes up to
 * the manifest's position were made before (indexing W18); changes by hand are in no log.
 */
export const applyChanges = (
  manifest: Manifest,
  holdings: Holdings,
  changes: readonly IndexChange[],
  whyRefused: (run: WrittenRun) => string | undefined,
  isByHand = false,
): Changed => {
  const live = new Map(manifest.live.map((run) => [run.name, run]))
  const known = new Set([manifest.live, manifest.removed, manifest.retired].flat().map(({ name }) => name))
  const refused: RefusedChange[] = []
  const unneeded: string[] = []
  let { nextPublication, lastRemoval = 0 } = manifest
  let position = BigInt(manifest.position)
  let { event } = manifest

  const end = (file: string, to: bigint) => {
    const holding = holdings.get(file)
    const run = holding && live.get(holding.run)
    if (!run) return
    live.set(run.name, { ...run, ended: [...run.ended, [holding.number, String(to)]] })
    holdings.delete(file)
  }

  const take = (change: Extract<IndexChange, { readonly run: WrittenRun }>, isHeld: boolean, of: Lineage) => {
    const { run, position: from } = change
    if (isHeld) {
      if (WrittenRunShape.is(run) && !known.has(run.name)) unneeded.push(run.name)
      return
    }
    const reason = live.has(run.name) ? 'its run holds other lines of the index' : whyRefused(run)
    if (reason !== undefined) return void refused.push({ change, reason })
    if (change.kind === 'publish') end(change.file, from)
    const number = nextPublication++
    const publication: Publication = { ...of, number, sha256: run.sha256, from: String(from) }
    known.add(run.name)
    live.set(run.name, { ...run, level: 0, files: 1, ended: [], publication, ...(of.posted && isPosted) })
    if (change.kind === 'remove') lastRemoval = number
    else holdings.set(keyOfHolding(publication), { number, sha256: run.sha256, run: run.name })
  }

  const apply = (change: IndexChange) => {
    switch (change.kind) {
      case 'withdraw':
        return end(change.file, change.position)
      case 'publish':
        return take(change, holdings.get(change.file)?.sha256 === change.run.sha256, { file: change.file })
      case 'add': {
        // The same lines are held if nothing was removed since.
        const held = holdings.get(keyOfHolding({ file: '', posted: 'added', sha256: change.run.sha256 }))
        return take(change, (held?.number ?? 0) > lastRemoval, { file: '', posted: 'added' })
      }
      case 'remove':
        return take(change, false, { file: '', posted: 'removed' })
    }
  }

  for (const change of changes) {
    if (!isByHand) {
      if (change.position <= position) continue
      position = change.position
      event = change.event
    }
    apply(change)
  }
  const { event: _, ...rest } = manifest
  return {
    manifest: {
      ...rest,
      ...{ position: String(position), nextPublication, live: [...live.values()] },
      ...(event && { event }),
      ...(lastRemoval > 0 && { lastRemoval }),
    },
    refused,
    unneeded,
  }
}

/** Moves runs of one file that is not held any more to the removed ones, as they are: they need no merge. */
export const setAside = (manifest: Manifest): Manifest => {
  const aside = manifest.live.flatMap((run) => {
    const to = run.publication && run.ended[0]?.[1]
    return run.publication && to !== undefined
      ? [{ ...run, ended: [], publication: { ...run.publication, to } }]
      : []
  })
  if (aside.length === 0) return manifest
  const names = new Set(aside.map(({ name }) => name))
  return {
    ...manifest,
    live: manifest.live.filter(({ name }) => !names.has(name)),
    removed: [...manifest.removed, ...aside],
  }
}
