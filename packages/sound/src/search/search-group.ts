import { type ClipSearch, startClipSearch, templateSearches, type Wanted } from './clip-search.ts'
import { rememberingPlayer } from './drift/at-speed.ts'
import { candidatesOf } from './drift/candidates.ts'
import { isFound, type Refined, refined } from './drift/refine.ts'
import type { Clip, Finding, Pcm, SearchFailure } from './finding.ts'
import { finishClipSearch } from './finish-search.ts'
import type { Fourier } from './fourier.ts'
import { openPcm, type PcmFile } from './pcm-file.ts'
import { heard, scan } from './scan.ts'
import { scanEnds } from './scan-ends.ts'
import { hop, thresholdFor } from './settings.ts'
import { type Stretch, stretches } from './stretch.ts'
import type { TemplateSearch } from './template-search.ts'

/** Hops of the episode that are scanned clip by clip: few enough for their spectra to stay in the cache. */
const hopsAtATime = 16

/**
 * Searches for clips together, in one pass over the episode. Yields one finding or failure for each. All
 * recordings must have the rate of the search (`rate`). Throws if the episode cannot be read. `breathe` is
 * awaited some ten times a second; an error that it throws ends the search.
 */
export async function* searchGroup(
  fourier: Fourier,
  episode: Pcm,
  clips: readonly Clip[],
  breathe: () => Promise<void>,
  { threshold = thresholdFor, drift = 0, maxMatches = 10_000 }: Partial<Wanted> = {},
): AsyncGenerator<Finding | SearchFailure> {
  const searches: ClipSearch[] = []
  let pcm: PcmFile | undefined
  try {
    pcm = openPcm(episode)
    for (const wanted of clips) {
      const begun = attempt(wanted.id, () =>
        startClipSearch(fourier, episode.samples, wanted, { threshold, drift, maxMatches }),
      )
      if ('template' in begun) searches.push(begun)
      else yield begun
      await breathe()
    }
    yield* goThrough(fourier, pcm, searches, breathe)
  } finally {
    for (const search of searches.flatMap(templateSearches)) search.template.free()
    pcm?.close()
  }
}

async function* goThrough(
  fourier: Fourier,
  pcm: PcmFile,
  searches: readonly ClipSearch[],
  breathe: () => Promise<void>,
): AsyncGenerator<Finding | SearchFailure> {
  const all = searches.flatMap(templateSearches)
  if (all.length === 0) return
  const reach = Math.max(...all.map((search) => search.template.parts))
  const from = Math.min(...all.map((search) => search.places[0]))
  const to = Math.max(...all.map((search) => search.places[1]))
  const hops = Math.max(hopsAtATime, reach)
  for (const stretch of stretches(fourier, pcm, { hops, reach, places: [from, to] }))
    for (const search of all) {
      listen(fourier, stretch, search)
      await breathe()
    }
  for (const search of searches) {
    yield await finish(search, pcm, breathe)
    await breathe()
  }
}

const listen = (fourier: Fourier, stretch: Stretch, search: TemplateSearch): void => {
  const { template, places, whole, seen } = search
  for (let h = 0; h < stretch.hops; h++) {
    const index = stretch.first + h
    const [from, to] = [index * hop, (index + 1) * hop]
    const outside = to <= places[0] || from >= places[1]
    if (outside || heard(stretch, h, template.parts) === 0) continue
    const correlations = fourier.convolve(template.parts, template.part, (i) => stretch.spectrum(index + i))
    const before = Math.min(whole[0], places[1])
    const after = Math.max(whole[1], before)
    if (from < before) scanEnds(correlations, stretch, h, search, [places[0], before])
    scan(correlations, stretch, h, template, whole, seen)
    if (to > after) scanEnds(correlations, stretch, h, search, [after, places[1]])
  }
}

const finish = async (
  search: ClipSearch,
  pcm: PcmFile,
  breathe: () => Promise<void>,
): Promise<Finding | SearchFailure> => {
  const { clip, sound, threshold } = search
  const atSpeeds: Refined[] = []
  const player = rememberingPlayer(sound.samples)
  for (const candidate of candidatesOf(search.atSpeeds)) {
    if (isFound(candidate, atSpeeds)) continue
    const one = attempt(clip, () => refined(sound.samples, player, pcm, candidate, threshold))
    if (one && 'error' in one) return one
    if (one) atSpeeds.push(one)
    await breathe()
  }
  return attempt(clip, () => finishClipSearch(search, pcm, atSpeeds))
}

/** Returns an error as the clip's failure. */
const attempt = <T>(clip: string, work: () => T): T | SearchFailure => {
  try {
    return work()
  } catch (error) {
    return { clip, error: error instanceof Error ? error.message : String(error) }
  }
}
