import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Path, StoreName } from '../../../domain/fixity/item.ts'
import { dated, itemStates, type State } from '../../../domain/fixity/item-states.ts'
import { bitLog, hasUnread, items, requests, resolutions } from '../../../domain/fixity/views.ts'
import { count, plural } from '../../../domain/kernel/amounts.ts'
import { is, row, rows, rowsIfFolded, tally } from '../../../domain/kernel/read-views.ts'
import { shellWord } from '../../../domain/kernel/shell-word.ts'
import type { RowOf, Views } from '../../../domain/kernel/view.ts'
import type { ViewStore } from '../../../ports/view-store.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { lastDecision } from './evidence.ts'
import { noSuchItem, unknownItem } from './known.ts'
import { Witness, witnessesOf } from './witnesses.ts'

const orNull = t.union([t.string, t.null])

/** Most entries listed of the bit log and of findings: the newest. */
const maxListed = 100

const Item = t.type({
  at: t.string,
  store: t.string,
  path: t.string,
  state: t.string,
  /** The meaning of that state, in a sentence. */
  means: t.string,
  /** Its next check is overdue. */
  isLate: t.boolean,
  size: t.union([t.number, t.null]),
  recordedFrom: orNull,
  recordedAt: orNull,
  /** The last finished check, whether it read the content or not. */
  lastChecked: orNull,
  /** The last good day: the content was read then, and was as recorded. */
  lastVerified: orNull,
  due: orNull,
  because: orNull,
  /** The last decision, and the words of all witnesses; null if nobody ever checked it. */
  decision: t.union([
    t.type({
      /** Position of its event in the log. */
      position: t.string,
      observedAt: t.string,
      /** content·storage·index·audit: the same letter is the same value, `-` absent, `n` not attempted, `?` not comparable, `x` removed. */
      pattern: t.string,
      row: t.string,
      outcome: t.string,
      because: t.string,
      witnesses: t.readonlyArray(Witness),
    }),
    t.null,
  ]),
  /** Finished checks, by outcome. Of `count` checks, `unread` succeeded without reading the content. */
  results: t.readonlyArray(t.type({ result: t.string, count: t.number, unread: t.number })),
  /** The newest first, at most 100. */
  checks: t.readonlyArray(
    t.type({
      at: t.string,
      result: t.string,
      /** A success that did not read the content. */
      isUnread: t.boolean,
      row: orNull,
      because: orNull,
      position: t.string,
    }),
  ),
  findings: t.readonlyArray(
    t.type({
      resolution: t.string,
      status: t.string,
      class: t.string,
      row: t.string,
      summary: t.string,
      openedAt: t.string,
      closedAt: orNull,
      how: orNull,
      actor: orNull,
      reason: orNull,
    }),
  ),
})

const isDated: ReadonlySet<State> = new Set(dated)

const of = (store: string, path: string) => [is('store', store), is('path', path)] as const

const checksOf = (views: Pick<Views, 'query'>, store: string, path: string) =>
  rows(views, bitLog, {
    where: of(store, path),
    orderBy: [{ column: 'position', descending: true }],
    limit: maxListed,
  }).map(({ at, result, unread, row, because, position }) => ({
    at: at ?? '',
    result: result ?? '',
    isUnread: unread === 1,
    row,
    because,
    position: String(position),
  }))

const findingsOf = (views: Pick<Views, 'query'>, store: string, path: string) =>
  rows(views, resolutions, {
    where: of(store, path),
    orderBy: [{ column: 'openedAt', descending: true }],
    limit: maxListed,
  }).map(({ store: _, path: __, ...finding }) => finding)

/** The earliest due time: by its row, or by a request in which it waits. */
const dueOf = (views: Pick<Views, 'query'>, { store, path, due }: RowOf<typeof items>): string | null => {
  const asked = rowsIfFolded(views, requests, { where: [is('store', store)] }).filter(({ paths }) =>
    paths.includes(path),
  )
  return [due, ...asked.map((request) => request.due)].filter((each) => each !== null).sort()[0] ?? null
}

const resultsOf = (views: Pick<ViewStore, 'tally' | 'shape'>, store: string, path: string) => {
  const by = hasUnread(views.shape(bitLog.name)) ? (['result', 'unread'] as const) : (['result'] as const)
  const found = tally(views, bitLog, { by, where: of(store, path) })
  return [...Map.groupBy(found, ({ result }) => result ?? '')].map(([result, counted]) => ({
    result,
    count: sum(counted),
    unread: sum(counted.filter(({ unread }) => unread === 1)),
  }))
}

const sum = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((total, one) => total + one.count, 0)

/** All that is known of one item, for a certificate of it. */
export const itemQuestion = question({
  name: 'item',
  summary: 'One item: its state, what all witnesses said at its last check, its checks and findings.',
  projection: fixity,
  history: 'views',
  input: {
    store: {
      description: 'Its store.',
      codec: StoreName,
      example: 'main',
      required: true,
      argument: 'store',
    },
    path: {
      description: 'Its path in the store.',
      codec: Path,
      example: 'letters/1912/03.tif',
      required: true,
      argument: 'path',
    },
  },
  answer: Item,
  returns: 'The item.',
  schemaName: 'FixityItem',
  rejections: noSuchItem,
  ask: async (views, { store, path }, { now, eventStore }) => {
    const found = row(views, items, ...of(store, path))
    if (!found) return E.left(unknownItem(`${store}/${path}`))
    const checks = checksOf(views, store, path)
    const checkedAt = checks[0] && BigInt(checks[0].position)
    const decision = await lastDecision(eventStore, { store, path }, BigInt(found.revision), checkedAt)
    const { state, size, recordedFrom, recordedAt, lastChecked, lastVerified, lateAfter, because } = found
    return E.right({
      at: now,
      store,
      path,
      state,
      means: itemStates[state].means,
      isLate: isDated.has(state) && lateAfter !== null && lateAfter < now,
      size,
      recordedFrom,
      recordedAt,
      lastChecked,
      lastVerified,
      due: dueOf(views, found),
      because,
      decision: decision
        ? {
            position: String(decision.position),
            observedAt: decision.observedAt,
            pattern: decision.pattern,
            row: decision.row,
            outcome: decision.outcome,
            because: decision.because,
            witnesses: witnessesOf(decision),
          }
        : null,
      results: resultsOf(views, store, path),
      checks,
      findings: findingsOf(views, store, path),
    })
  },
  rows: { row: Witness, of: ({ decision }) => decision?.witnesses ?? [] },
  show: ({ store, path, state, means, lastVerified, decision, results, findings }) => [
    `${store}/${path} is ${state}: ${means}`,
    `last read and as recorded: ${lastVerified ?? 'never'}`,
    ...(decision
      ? [
          `${decision.row} (${decision.pattern}): ${decision.because}`,
          {
            rows: decision.witnesses,
            columns: [
              ...columns('witness', 'mark', 'says'),
              {
                key: 'checksums',
                show: (value: unknown) =>
                  (value as Witness['checksums'])
                    .map(({ algorithm, value }) => `${algorithm}:${value}`)
                    .join(' '),
              },
              ...columns('source', 'heardAt'),
            ],
          },
        ]
      : ['nobody ever looked at it']),
    ...results.map(
      ({ result, count: n, unread }) =>
        `${plural(n, 'check')}: ${result}${unread > 0 ? `, ${count(unread)} of them without reading it` : ''}`,
    ),
    ...findings.map(({ openedAt, status, how, summary }) => `${openedAt} ${how ?? status}: ${summary}`),
    ...(findings.some(({ status }) => status === 'open')
      ? [
          `\`fonds do fixity.resolve store=${store} path=${shellWord(path)} how=…\` settles it: repaired, accepted, lost or false-alarm`,
        ]
      : []),
  ],
  pictures: [
    {
      format: 'html',
      contentType: 'text/html',
      isReport: true,
      flag: 'write it as a certificate to print',
      draw: async (answer) => E.right((await import('./item-certificate.ts')).itemCertificate(answer)),
    },
  ],
  examples: [
    ['item archive letters/01.txt', 'its witnesses side by side'],
    ['item archive letters/01.txt --html certificate.html', 'a certificate to print'],
    ['item archive letters/01.txt --as-of 2026-01-31T12:00:00Z', 'as it was that noon'],
  ],
})
