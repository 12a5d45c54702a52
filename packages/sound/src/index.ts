/*
 * Types and settings of sound files and of the search for clips in them. Nothing here does I/O, and little is
 * loaded: `@fonds/sound/sniff` detects kinds of files, `@fonds/sound/decode` loads the decoders,
 * `@fonds/sound/search` reads recordings.
 */

export type { AudioKind, ReadBytes, Sniffed } from './decode/sniff.ts'
export { maxRate, minRate, Unreadable } from './decode/sound.ts'
export { type DifferingStretch, trackSamples } from './decode/tracks.ts'
export { type Span, selectApart } from './search/apart.ts'
export { driftCost } from './search/drift/speeds.ts'
export type { Clip, Finding, Match, Pcm, SearchFailure } from './search/finding.ts'
export { groupsOf } from './search/groups.ts'
export { type Engine, engineFor, rate, thresholdFor } from './search/settings.ts'
