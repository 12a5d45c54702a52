import type { IndexChange, RefusedChange } from '../../src/ports/capture-index.ts'
import { type Manifest, type Publication, type Run, WrittenRunShape } from './manifest.ts'
import type { Origins } from './origins.ts'

/** Where the lines of a file are that hold now. */
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
    for (const { file, number, sha256 } of tableOf(run).publications)
      if (!ended.has(number)) holdings.set(file, { number, sha256, run: run.name })
  }
  return holdings
}

interface Changed {
  readonly manifest: Manifest
  readonly refused: readonly RefusedChange[]
  /** Runs of lines that the index has already. */
  readonly unneeded: readonly string[]
}

/**
 * The manifest with the changes, all or, where a run is refused, without that change. `holdings` follows. Changes up to
 * the manifest's position were made before (indexing W18).
 */
export const applyChanges = (
  manifest: Manifest,
  holdings: Holdings,
  changes: readonly IndexChange[],
  whyRefused: (change: IndexChange & { readonly kind: 'publish' }) => string | undefined,
): Changed => {
  const live = new Map(manifest.live.map((run) => [run.name, run]))
  const known = new Set([manifest.live, manifest.removed, manifest.retired].flat().map(({ name }) => name))
  const refused: RefusedChange[] = []
  const unneeded: string[] = []
  let { nextPublication } = manifest
  let position = BigInt(manifest.position)

  const end = (file: string, to: bigint) => {
    const holding = holdings.get(file)
    const run = holding && live.get(holding.run)
    if (!run) return
    live.set(run.name, { ...run, ended: [...run.ended, [holding.number, String(to)]] })
    holdings.delete(file)
  }

  const publish = (change: IndexChange & { readonly kind: 'publish' }) => {
    const { file, run, position: from } = change
    if (holdings.get(file)?.sha256 === run.sha256) {
      if (WrittenRunShape.is(run) && !known.has(run.name)) unneeded.push(run.name)
      return
    }
    const reason = live.has(run.name) ? 'its run holds the lines of another file' : whyRefused(change)
    if (reason !== undefined) return void refused.push({ change, reason })
    end(file, from)
    const number = nextPublication++
    const publication: Publication = { number, file, sha256: run.sha256, from: String(from) }
    known.add(run.name)
    live.set(run.name, { ...run, level: 0, files: 1, ended: [], publication })
    holdings.set(file, { number, sha256: run.sha256, run: run.name })
  }

  for (const change of changes) {
    if (change.position <= position) continue
    position = change.position
    if (change.kind === 'publish') publish(change)
    else end(change.file, change.position)
  }
  return {
    manifest: { ...manifest, position: String(position), nextPublication, live: [...live.values()] },
    refused,
    unneeded,
  }
}

/** Runs of one file that is not held any more need no merge: they are removed as they are. */
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
