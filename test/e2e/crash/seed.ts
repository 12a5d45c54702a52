import { random } from './expectations.ts'

/* What `npm run soak` sets of a test that kills. */

/** The seed is printed: with it the moments are the same again. */
export const useSeed = (): { readonly seed: number; readonly chance: () => number } => {
  const seed = Number(process.env.FONDS_TEST_SEED ?? Date.now() % 1_000_000)
  console.log(`seed ${seed}: FONDS_TEST_SEED=${seed} repeats the moments`)
  return { seed, chance: random(seed) }
}

/** How much of something: more where `npm run soak` runs the suite. */
export const inSoak = (usual: number, soaking: number): number =>
  process.env.FONDS_TEST_SOAK === undefined ? usual : soaking

/** Rounds of kills. */
export const roundsOr = (usual: number, soaking = usual): number =>
  Number(process.env.FONDS_TEST_ROUNDS ?? inSoak(usual, soaking))
