import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { Flag } from '../../../domain/kernel/text-codecs.ts'
import type { Views } from '../../../domain/kernel/view.ts'
import { type QuestionRejection, question } from '../../runtime/question.ts'
import { matching } from '../projection.ts'
import type { MergedRow } from '../tables.ts'
import { ShownDocument } from './answers.ts'
import { inWords } from './comparison-lines.ts'
import { work } from './fields.ts'
import { generationOf, mergedRow } from './reading.ts'
import { noSuchWork, orNoSuchWork } from './rejections.ts'
import { withTitle } from './titles.ts'

/** The document that a catalogue shows for a work: of the live generation, and with no version in it (M19). */
export const documentQuestion = question({
  name: 'document',
  path: 'matching/works/{work}/document',
  operationId: 'workDocument',
  summary: 'What readers get for a work: the merged work, or the one it redirects to.',
  description:
    'A redirect names the work to ask for instead, in the document and as the canonical `Link`. `follow=true` ' +
    'answers with that one at once: `work` then says which it is.',
  projection: matching,
  history: 'views',
  input: {
    work,
    follow: { description: 'Answers with the target of a redirect.', codec: Flag, value: '' },
  },
  answer: ShownDocument,
  returns: 'The document.',
  rejections: {
    ...noSuchWork,
    'not-visible': {
      status: 404,
      description: 'The work is hidden, and so are all that it is one with.',
    },
    deleted: { status: 410, description: 'The record of the work was deleted.' },
  },
  ask: (views, { work, follow = false }) =>
    pipe(shownFor(views, work, follow), orNoSuchWork(views, [work]), E.chainW(ifVisible)),
  show: ({ work, title, document }) => [
    document.kind === 'redirect'
      ? `${work}: redirects to ${withTitle(document.to, title)}`
      : `${work}: ${inWords(document)}`,
  ],
  canonical: ({ document }) => (document.kind === 'redirect' ? { work: document.to } : undefined),
  examples: [
    ['document h3xbcs2m', 'what readers get'],
    ['document jz8d34qd --follow', 'the work that it redirects to, at once'],
  ],
})

const shownFor = (views: Views, work: string, follow: boolean): ShownDocument | undefined => {
  const shown = documentOf(views, work)
  if (!follow || shown?.document.kind !== 'redirect') return shown
  return documentOf(views, shown.document.to) ?? shown
}

const documentOf = (views: Views, work: string): ShownDocument | undefined => {
  const row = mergedRow(views, generationOf(views, {}), work)
  return row && { work, title: shownTitle(views, row), document: row.document }
}

/** A redirect leads to what is shown: the record that redirects may be hidden, and so is its title. */
const shownTitle = (views: Views, { generation, title, to }: MergedRow): string | null =>
  to === null ? title : (mergedRow(views, generation, to)?.title ?? null)

const ifVisible = (
  shown: ShownDocument,
): E.Either<QuestionRejection<'deleted' | 'not-visible'>, ShownDocument> => {
  switch (shown.document.kind) {
    case 'deleted':
      return E.left({ code: 'deleted', message: 'the record of this work was deleted' })
    case 'hidden':
      return E.left({
        code: 'not-visible',
        message: 'this work is hidden, and so are all that it is one with',
      })
    default:
      return E.right(shown)
  }
}
