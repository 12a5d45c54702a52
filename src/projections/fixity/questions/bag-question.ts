import * as E from 'fp-ts/lib/Either.js'
import { StoreName } from '../../../domain/fixity/item.ts'
import { resolutions } from '../../../domain/fixity/views.ts'
import { Text } from '../../../domain/kernel/codecs.ts'
import { is, rows } from '../../../domain/kernel/read-views.ts'
import { question } from '../../runtime/question.ts'
import { columns } from '../../runtime/shown.ts'
import { fixity } from '../projection.ts'
import { BagAnswer } from './bag-answer.ts'
import { bagCertificate, bagSentences } from './bag-certificate.ts'
import { folderOfBag } from './bag-contents.ts'
import { extremeBelow, liveBags, shownBag } from './live-bags.ts'

const maxFindings = 100

/** All that is known of one bag, for a certificate of it. */
export const bagQuestion = question({
  name: 'bag',
  summary: 'One bag: whether it is valid, since when, by which rule, and what that rests on.',
  description: 'As HTML it is a certificate: one page that stands alone, to be printed and kept.',
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
    bag: {
      description: 'The path of its folder in the store; `.` is the root.',
      codec: Text,
      example: 'deposits/2026-01',
      required: true,
      argument: 'bag',
    },
  },
  answer: BagAnswer,
  returns: 'The bag.',
  schemaName: 'FixityBag',
  rejections: { 'no-such-bag': { status: 404, description: 'No bag of that path was ever listed.' } },
  ask: (views, { store, bag: given }, { now }) => {
    const bag = given.replace(/(?<=.)\/+$/, '')
    const [found] = liveBags(views, { store, bag }, now)
    if (!found)
      return E.left({
        code: 'no-such-bag',
        message: `no bag ${bag} of store ${store} was ever listed`,
        hint: '`fonds fixity bags` lists those that were',
      })
    const { structure } = found.row
    const folder = folderOfBag(bag)
    const open = rows(views, resolutions, {
      where: [
        is('store', store),
        is('status', 'open'),
        ...(folder === '' ? [] : [{ column: 'path', is: 'prefix', value: `${folder}/` } as const]),
      ],
      orderBy: [{ column: 'openedAt' }],
      limit: maxFindings,
    })
    return E.right({
      ...shownBag(views, found, now),
      at: now,
      isComplete: structure.isComplete,
      problems: structure.problems,
      problemsLeftOut: structure.problemsLeftOut,
      states: Object.entries(found.content.states).map(([state, count]) => ({ state, count })),
      firstVerified: extremeBelow(views, store, bag, 'lastVerified', false) ?? null,
      lastVerified: extremeBelow(views, store, bag, 'lastVerified', true) ?? null,
      findings: open.map(({ path, summary, openedAt }) => ({ path: path ?? '', summary, openedAt })),
    })
  },
  rows: { of: ({ states }) => states },
  show: (bag) => [
    ...bagSentences(bag),
    { rows: bag.states, columns: columns('state', 'count') },
    ...(bag.problems.length > 0 ? [{ rows: bag.problems, columns: columns('path', 'reason') }] : []),
    ...bag.findings.map(({ path, summary, openedAt }) => `${openedAt} ${path}: ${summary}`),
  ],
  pictures: [
    {
      format: 'html',
      contentType: 'text/html',
      isReport: true,
      flag: 'write it as a certificate to print',
      draw: (answer) => E.right(bagCertificate(answer)),
    },
  ],
  examples: [
    ['bag archive deposits/2026-01', 'whether it is valid, and what that rests on'],
    ['bag archive deposits/2026-01 --html certificate.html', 'a certificate to print'],
  ],
})
