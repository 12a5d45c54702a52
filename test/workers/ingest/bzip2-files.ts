/* Files of bzip2 1.0.8, and what it unpacks them to. */

interface Kept {
  readonly packed: Buffer
  readonly holds: Buffer
}

const of = (base64: string, holds: string): Kept => ({
  packed: Buffer.from(base64, 'base64'),
  holds: Buffer.from(holds),
})

export const kept = {
  text: of(
    'QlpoMTFBWSZTWa+XjQQAAHmfgP//////////////8AAIMAD4A4yYJoZDIyMmhoA0GRhANBo0yGIaAHGTBNDIZGRk0NAGgyMIBoNGmQxDQAKVUSY1NGTTT0gABoADQGRoDTTQ0DTTQyZ1m3xXw3jKmXMU4MzJwpw5mzX4kz5uWhM+YbjTQmOaM485E5M5U5c5k5s50586E6M6U6c6k6s0p1p152J2Z2p253J3TvHfPAeE0zJ03iPGeQ8p5jzmoap6D0mseo9Z7D2nuPea5qW/jwtg2bDsVGthNW2SmSUyTdvmba2jaOAvqn2Pufg/JkLbNCzDFYLSv1W4Z1+zDbtiWAxWUsdo2AyD+H9P8bxvmX/xdyRThQkK+XjQQA==',
    `${'Nothing stops, nothing scatters. '.repeat(3)}${'a'.repeat(300)}${'bcd'.repeat(40)}${Array.from({ length: 400 }, (_, i) => String.fromCharCode(33 + (i % 90))).join('')}`,
  ),
  /** Of runs that are longer than a block of it. */
  runs: of(
    'QlpoMTFBWSZTWeBO8aoAAYhEgOAAAAQAYAAIIABUMAClTRpoQsyhC9wIW8y3t2ELi7kinChIcCd41QA=',
    `${'\0'.repeat(200_000)}xxxxyyyyy`,
  ),
  nothing: of('QlpoNRdyRThQkAAAAAA=', ''),
}
