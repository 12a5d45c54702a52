import fc from 'fast-check'
import type { Capture } from '../src/capture.ts'

/* Captures that have a line in every format. */

const token = fc.stringMatching(/^[\x21-\x7eü日💩]{1,12}$/u)
const size = fc.integer({ min: 0, max: 2 ** 49 })
const place = fc.record({ length: size, offset: size, file: token.filter((text) => text !== '-') })
const digits = (most: number) => fc.integer({ min: 1, max: most }).map((n) => String(n).padStart(2, '0'))

export const capture: fc.Arbitrary<Capture> = fc
  .record({
    url: token.map((text) => `http://example.org/${text}`),
    time: fc
      .tuple(digits(12), digits(28), digits(23), digits(59), digits(59))
      .map((parts) => `2026${parts.join('')}`),
    mime: fc.constantFrom('text/html', 'warc/revisit', 'image/svg+xml', '-'),
    status: fc.constantFrom('200', '302', '404', '-'),
    digest: fc.constantFrom('3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ', 'sha256:QZ7', '-'),
    redirect: fc.oneof(token, fc.constant('-')),
    flags: fc.constantFrom('AFI', '-'),
    length: fc.oneof(size, fc.constant(-1)),
    offset: size,
    file: token,
  })
  .chain((bare) =>
    fc.oneof(
      fc.constant(bare),
      place.map((original) => ({ ...bare, original })),
    ),
  )
