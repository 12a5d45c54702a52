import type { QuestionRejection } from '../../runtime/question.ts'

/* Rejections of questions about unknown stores and items. */

export const noSuchStore = {
  'no-such-store': { status: 404, description: 'No store of that name is known.' },
} as const

export const unknownStore = (store: string): QuestionRejection<'no-such-store'> => ({
  code: 'no-such-store',
  message: `there is no store ${store}`,
  hint: '`fonds query fixity-stores` lists them',
})

export const noSuchItem = {
  'no-such-item': { status: 404, description: 'Nothing is known of such an item.' },
} as const

export const unknownItem = (id: string): QuestionRejection<'no-such-item'> => ({
  code: 'no-such-item',
  message: `nothing is known of ${id}`,
  hint: '`fonds query fixity-items` lists the items',
})
