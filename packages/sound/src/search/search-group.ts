import { type ClipSearch, ofVoice, startClipSearches, templateSearches, type Wanted } from './clip-search.ts'
import { rememberingPlayer } from './drift/at-speed.ts'
import { candidatesOf } from './drift/candidates.ts'
import { isFound, type Refined, refined } from './drift/refine.ts'
import type { Clip, Finding, Pcm, SearchFailure } from './finding.ts'
import { finishClipSearch, joinResults, type Result } from './finish-search.ts'
import type { Fourier } from './fourier.ts'
import { openPcm, type PcmFile } from './pcm-file.ts'
import { createSilence, scanVoice } from './scan-voice.ts'
import { thresholdFor } from './settings.ts'
import { type Voice, voicesOf } from './voices.ts'

/**
 * Searches for clips together, in one pass over the episode, and one over the stretches of each channel that
 * differs from the mix. Yields one finding or failure for each. All recordings must have the rate of the
 * search (`rate`). Throws if the episode cannot be read. `breathe` is awaited some ten times a second; an error
 * that it throws ends the search.
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
        startClipSearches(fourier, episode.samples, wanted, { threshold, drift, maxMatches }),
      )
      if ('clip' in begun) yield begun
      else searches.push(...begun)
      await breathe()
    }
    if (searches.length > 0) yield* goThrough(fourier, voicesOf(episode, pcm), searches, breathe)
  } finally {
    for (const search of searches.flatMap(templateSearches)) search.template.free()
    pcm?.close()
  }
}

async function* goThrough(
  fourier: Fourier,
  voices: readonly Voice[],
  searches: readonly ClipSearch[],
  breathe: () => Promise<void>,
): AsyncGenerator<Finding | SearchFailure> {
  const mix = voices[0]!
  const silence = createSilence(mix)
  const passes: { readonly voice: Voice; readonly searches: readonly ClipSearch[] }[] = []
  for (const voice of voices) {
    const pass = { voice, searches: voice === mix ? searches : searches.map(ofVoice) }
    await scanVoice(fourier, { voice, mix, silence }, pass.searches.flatMap(templateSearches), breathe)
    passes.push(pass)
  }
  for (const [clip, takes] of Map.groupBy(searches, (search) => search.clip)) {
    const results: Result[] = []
    let failure: SearchFailure | undefined
    for (const { voice, searches: inVoice } of passes)
      for (const search of inVoice.filter((one) => one.clip === clip)) {
        if (failure) continue
        const result = await finish(search, voice, breathe)
        if ('error' in result) failure = result
        else results.push(result)
        await breathe()
      }
    const finding = failure ?? joinResults(takes, results)
    yield silence.isHeard() || 'error' in finding ? finding : { ...finding, ...silentEpisode }
  }
}

const silentEpisode = { silent: 'episode', note: 'the episode is silent' } as const

const finish = async (
  search: ClipSearch,
  voice: Voice,
  breathe: () => Promise<void>,
): Promise<Result | SearchFailure> => {
  const { clip, sound, threshold } = search
  const atSpeeds: Refined[] = []
  const player = rememberingPlayer(sound.samples)
  for (const candidate of candidatesOf(search.atSpeeds)) {
    if (isFound(candidate, atSpeeds)) continue
    const one = attempt(clip, () => refined(sound.samples, player, voice, candidate, threshold))
    if (one && 'error' in one) return one
    if (one) atSpeeds.push(one)
    await breathe()
  }
  return attempt(clip, () => finishClipSearch(search, voice, atSpeeds))
}

/** Returns an error as the clip's failure. */
const attempt = <T>(clip: string, work: () => T): T | SearchFailure => {
  try {
    return work()
  } catch (error) {
    return { clip, error: error instanceof Error ? error.message : String(error) }
  }
}
