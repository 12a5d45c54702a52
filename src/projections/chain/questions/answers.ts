import * as t from 'io-ts'

const textOrNull = t.union([t.string, t.null])

export const Standing = t.keyof(
  { 'at-risk': null, working: null, done: null, withdrawn: null },
  'state of a dossier (at-risk, working, done, withdrawn)',
)

export const DossierLine = t.type({
  object: t.string,
  state: Standing,
  since: t.string,
  /** The last version; 0: it was withdrawn. */
  version: t.number,
  batch: textOrNull,
  profile: textOrNull,
  files: t.number,
  bytes: t.number,
  storedAt: t.string,
  /** Files under fixity, of all versions. */
  parts: t.number,
  /** Files that were read, and were as recorded when they were read last; or that a person accepted. */
  verified: t.number,
  failing: t.number,
  /** Archive files, such as WARC; those that are in the index, and that could not be; captures in the index. */
  archives: t.number,
  indexed: t.number,
  unindexed: t.number,
  captures: t.number,
  /** Reason of its withdrawal. */
  reason: textOrNull,
})
export type DossierLine = t.TypeOf<typeof DossierLine>

/** A step of a version in a workflow. */
export const Step = t.type({
  version: t.number,
  workflow: t.keyof({ ingest: null, fixity: null, indexing: null }),
  state: t.keyof({ done: null, working: null, waiting: null, 'at-risk': null }),
  /** One sentence. */
  says: t.string,
  at: textOrNull,
})
export type Step = t.TypeOf<typeof Step>

export const UnwellPart = t.type({
  store: t.string,
  path: t.string,
  version: t.number,
  state: t.string,
  finding: t.string,
  since: textOrNull,
  /** Command that shows more of it. */
  next: t.string,
})
export type UnwellPart = t.TypeOf<typeof UnwellPart>

export const Dossier = t.intersection([
  DossierLine,
  t.type({
    /** The last versions first. */
    steps: t.array(Step),
    /** Files that are not well, the first of them. */
    unwell: t.array(UnwellPart),
    /** Sentences about what a person may do next. */
    next: t.array(t.string),
  }),
])
export type Dossier = t.TypeOf<typeof Dossier>

export const DossierAnswer = t.type({
  /** Each object that the id is of: of a batch, all of its objects. */
  dossiers: t.array(Dossier),
  /** Number of all of them. */
  total: t.number,
})
export type DossierAnswer = t.TypeOf<typeof DossierAnswer>
