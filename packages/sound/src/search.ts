/* Finds clips in an episode: recordings are read from disk, and the transforms are in WebAssembly. */

export { createFourier, type Fourier } from './search/fourier.ts'
export { scoreOf } from './search/score.ts'
export { searchGroup } from './search/search-group.ts'
