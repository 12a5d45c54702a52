import { plural } from '../../domain/kernel/amounts.ts'
import { visible } from '../../domain/kernel/visible.ts'
import type { Cause } from '../../workflows/cause.ts'
import type { Due } from './due.ts'

export interface NoticeMessage {
  readonly id: string
  readonly subject: string
  /** For people. */
  readonly text: string
  /** For programs: JSON. */
  readonly json: string
}

/** Builds the message for every channel. `where` names the installation. */
export const noticeMessage = (id: string, due: Due, where: string, at: string): NoticeMessage => ({
  id,
  subject: visible(subjectOf(due)),
  text: textOf(due, where),
  json: JSON.stringify({
    id,
    at,
    where,
    causes: [
      ...due.fresh.map((cause) => ({ ...cause, status: 'new' })),
      ...due.grown.map((cause) => ({ ...cause, status: 'grown' })),
      ...due.over.map((key) => ({ key, status: 'over' })),
    ],
  }),
})

const subjectOf = ({ fresh, grown, over }: Due): string => {
  const open = [...fresh, ...grown]
  const [only] = open
  if (open.length === 1 && only) return `Fonds: ${only.says}`
  if (open.length > 1) return `Fonds: ${plural(open.length, 'thing waits', 'things wait')} for a person`
  return over.length === 1 ? `Fonds: over: ${over[0]}` : `Fonds: ${over.length} things are over`
}

const textOf = ({ fresh, grown, over }: Due, where: string): string =>
  [
    ...section('What waits for a person:', fresh.map(causeText)),
    ...section('Told before, and there is more of it now:', grown.map(causeText)),
    ...section(
      'Over:',
      over.map((key) => `- ${visible(key)}`),
    ),
    `From ${visible(where)}. \`fonds doctor\` says all that waits now.`,
    '',
  ].join('\n')

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, '', ...lines, '']

const causeText = ({ says, todo }: Cause): string => `- ${visible(says)}\n  ${visible(todo)}`
