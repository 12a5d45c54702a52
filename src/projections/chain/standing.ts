import type { DossierStanding, PartState } from '../../domain/chain/views.ts'
import type { ChainTables, DossierRow, VersionRow } from './tables.ts'

/** Parts that count as verified: a person's acceptance ends a finding as a good check does. */
export const isWell = (state: PartState): boolean => state === 'verified' || state === 'accepted'

export const isFailing = (state: PartState): boolean =>
  state === 'failed' || state === 'parked' || state === 'lost'

/** A version waits until it is handed over and each of its parts is well. */
const isWaiting = ({ handedOverAt, parts, verified }: VersionRow): boolean =>
  handedOverAt === null || verified < parts

const isStuck = ({ failure, handedOverAt }: VersionRow): boolean => failure !== null && handedOverAt === null

const standingOf = ({
  failing,
  stuck,
  waiting,
}: Pick<DossierRow, 'failing' | 'stuck' | 'waiting'>): DossierStanding =>
  failing > 0 || stuck > 0 ? 'at-risk' : waiting > 0 ? 'working' : 'done'

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
