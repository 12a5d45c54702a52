/* Finds clips in an episode. Reads recordings from disk; the transforms run in WebAssembly. */

export { createFourier, type Fourier } from './search/fourier.ts'
export { scoreOf } from './search/score.ts'
export { searchGroup } from './search/search-group.ts'
