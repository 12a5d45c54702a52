import type { RuleName } from '../../domain/chain/rules.ts'
import type { DossierStanding, PartState } from '../../domain/chain/views.ts'
import type { ChainTables, DossierRow, VersionRow } from './tables.ts'

/** Parts that count as verified: a person's acceptance ends a finding as a good check does. */
export const isWell = (state: PartState): boolean => state === 'verified' || state === 'accepted'

export const isFailing = (state: PartState): boolean =>
  state === 'failed' || state === 'parked' || state === 'lost'

/** A version waits until all rules have handed it over, each of its parts is well, and its archive files are indexed. */
const isWaiting = (of: VersionRow): boolean =>
  isAwaited('fixity', of) || isAwaited('indexing', of) || of.verified < of.parts || of.indexed < of.archives

/** True if a rule that was on when the version was stored has not handed it over. */
export const isAwaited = (
  rule: RuleName,
  { rules, handedOverAt, listedAt }: Pick<VersionRow, 'rules' | 'handedOverAt' | 'listedAt'>,
): boolean => (rule === 'fixity' ? handedOverAt : listedAt) === null && rules.split(',').includes(rule)

const isStuck = ({ failure, indexingFailure }: VersionRow): boolean =>
  failure !== null || indexingFailure !== null

const standingOf = ({
  failing,
  unindexed,
  stuck,
  waiting,
}: Pick<DossierRow, 'failing' | 'unindexed' | 'stuck' | 'waiting'>): DossierStanding =>
  failing > 0 || unindexed > 0 || stuck > 0 ? 'at-risk' : waiting > 0 ? 'working' : 'done'

/** Changes a version, and the sums of its dossier by as much. Undefined: the version is gone. */
export const changeVersion = (
  tables: ChainTables,
  before: VersionRow | undefined,
  after: VersionRow | undefined,
  at: string,
): void => {
  const row = after ?? before
  if (!row) return
  if (after) tables['chain-versions'].put(after)
  else tables['chain-versions'].delete(row.object, row.version)
  const dossier = tables['chain-dossiers'].get(row.object)
  if (dossier) putDossier(tables, dossier, withSums(dossier, before, after), at)
}

const withSums = (
  dossier: DossierRow,
  before: VersionRow | undefined,
  after: VersionRow | undefined,
): DossierRow => {
  const more = (of: (row: VersionRow) => number) => (after ? of(after) : 0) - (before ? of(before) : 0)
  return {
    ...dossier,
    waiting: dossier.waiting + more((row) => Number(isWaiting(row))),
    stuck: dossier.stuck + more((row) => Number(isStuck(row))),
    parts: dossier.parts + more(({ parts }) => parts),
    verified: dossier.verified + more(({ verified }) => verified),
    failing: dossier.failing + more(({ failing }) => failing),
    archives: dossier.archives + more(({ archives }) => archives),
    indexed: dossier.indexed + more(({ indexed }) => indexed),
    unindexed: dossier.unindexed + more(({ unindexed }) => unindexed),
    captures: dossier.captures + more(({ captures }) => captures),
  }
}

/** Puts a dossier with its state, and since when it has that. */
export const putDossier = (
  tables: ChainTables,
  before: DossierRow | undefined,
  after: DossierRow,
  at: string,
): void => {
  const state = after.reason === null ? standingOf(after) : 'withdrawn'
  tables['chain-dossiers'].put({ ...after, state, since: state === before?.state ? before.since : at })
}
