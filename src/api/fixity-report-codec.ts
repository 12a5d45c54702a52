import * as t from 'io-ts'
import type { Counts, FixityReport } from '../projections/fixity/report.ts'

/* The shape of the fixity report for the OpenAPI document, as the codec of its own type: they cannot drift apart. */

type Codec<A> = t.Type<A, unknown>

const nullable = t.union([t.string, t.null])

const CountsCodec: Codec<Counts> = t.type({
  expected: t.number,
  verified: t.number,
  failed: t.number,
  unverified: t.number,
  unchecked: t.number,
  late: t.number,
  parked: t.number,
})

const section = { counts: CountsCodec, bytes: t.number }

export const FixityReportCodec: Codec<FixityReport> = t.type({
  at: t.string,
  stores: t.readonlyArray(
    t.intersection([
      t.type({
        ...section,
        store: t.string,
        prefixes: t.readonlyArray(t.type({ ...section, prefix: t.string })),
      }),
      t.partial({ root: t.string }),
    ]),
  ),
  resolutions: t.readonlyArray(
    t.type({
      store: t.string,
      path: t.string,
      resolution: t.string,
      class: t.string,
      row: t.string,
      summary: t.string,
      openedAt: t.string,
    }),
  ),
  failures: t.readonlyArray(
    t.type({
      store: t.string,
      path: t.string,
      state: t.string,
      row: nullable,
      because: nullable,
      lastChecked: nullable,
      lastVerified: nullable,
    }),
  ),
})
