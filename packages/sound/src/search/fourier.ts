import openPffft from '@echogarden/pffft-wasm/simd'
import { frame } from './settings.ts'

/** Buffers for spectra, in memory outside the heap. */
interface Spectra {
  /** Address of the i-th spectrum. */
  at(i: number): number
  free(): void
}

/** Transforms of `size` real samples, in single precision. */
export interface Fourier {
  readonly size: number
  /** Allocates spectra. Throws if there is no memory. */
  spectra(count: number): Spectra
  /** Transforms the input to the address `to`. `fill` must write all of the input. */
  forward(fill: (input: Float32Array) => void, to: number): void
  /**
   * Inverse transform of the sum of products of pairs of spectra. The result is valid until the next call.
   */
  convolve(count: number, left: (i: number) => number, right: (i: number) => number): Float32Array
}

const real = 0
const forwards = 0
const backwards = 1
const bytesEach = 4

/** Loads pffft. Each thread needs its own, as its buffers are reused. Throws if there is no memory. */
export const createFourier = async (): Promise<Fourier> => {
  const pffft = await openPffft()
  const size = frame
  const setup = pffft._pffft_new_setup(size, real)

  const allocate = (floats: number): number => {
    const pointer = pffft._pffft_aligned_malloc(floats * bytesEach)
    if (pointer === 0) throw new Error(`no memory for ${floats * bytesEach} bytes of spectra`)
    return pointer
  }
  const view = (pointer: number): Float32Array =>
    pffft.HEAPF32.subarray(pointer / bytesEach, pointer / bytesEach + size)

  const input = allocate(size)
  const sum = allocate(size)
  const output = allocate(size)
  const work = allocate(size)

  return {
    size,
    spectra: (count) => {
      const start = allocate(count * size)
      return {
        at: (i) => start + i * size * bytesEach,
        free: () => pffft._pffft_aligned_free(start),
      }
    },
    forward: (fill, to) => {
      fill(view(input))
      pffft._pffft_transform(setup, input, to, work, forwards)
    },
    convolve: (count, left, right) => {
      view(sum).fill(0)
      for (let i = 0; i < count; i++)
        pffft._pffft_zconvolve_accumulate(setup, left(i), right(i), sum, 1 / size)
      pffft._pffft_transform(setup, sum, output, work, backwards)
      return view(output)
    },
  }
}
