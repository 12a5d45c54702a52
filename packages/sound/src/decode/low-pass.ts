/* Low-pass filters: a sinc in Kaiser's window. The stopband lies 60 dB down. */

const stopDecibels = 60
const beta = 0.1102 * (stopDecibels - 8.7)

/** Number of coefficients for a transition band of this width, a share of the rate. */
export const kaiserTaps = (transition: number): number =>
  (stopDecibels - 8) / (2.285 * 2 * Math.PI * transition)

export const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))

/** Kaiser's window, from -1 to 1. */
export const kaiserWindow = (x: number): number =>
  Math.abs(x) >= 1 ? 0 : bessel(beta * Math.sqrt(1 - x * x)) / bessel(beta)

/** Modified Bessel function of the first kind and order zero. */
const bessel = (x: number): number => {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / 2 / k) ** 2
    sum += term
  }
  return sum
}
