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

interface MessageSetting {
  /** Names the installation. */
  readonly where: string
  readonly at: string
  /** Address of the page as people reach it; absent: not known, and no message has a link. */
  readonly publicUrl?: string | undefined
  /** A sentence for a cause that is over, by its key; undefined: none. */
  endOf(key: string): string | undefined
}

/** Builds the message for every channel. */
export const noticeMessage = (id: string, due: Due, setting: MessageSetting): NoticeMessage => {
  const { where, at } = setting
  const linked = (cause: Cause) => {
    const { page: _page, brief: _brief, ...rest } = cause
    const link = linkOf(cause, setting)
    return { ...rest, ...(link !== undefined && { link }) }
  }
  const ended = (key: string) => setting.endOf(key) ?? `over: ${key}`
  return {
    id,
    subject: visible(subjectOf(due, ended)),
    text: textOf(due, setting, ended),
    json: JSON.stringify({
      id,
      at,
      where,
      causes: [
        ...due.fresh.map((cause) => ({ ...linked(cause), status: 'new' })),
        ...due.grown.map((cause) => ({ ...linked(cause), status: 'grown' })),
        ...due.over.map((key) => ({ key, says: ended(key), status: 'over' })),
      ],
    }),
  }
}

/** The cause's place on the page, if people can reach that. */
const linkOf = ({ page }: Cause, { publicUrl }: MessageSetting): string | undefined =>
  page === undefined || publicUrl === undefined ? undefined : `${publicUrl.replace(/\/+$/, '')}${page}`

type Ended = (key: string) => string

const subjectOf = ({ fresh, grown, over }: Due, ended: Ended): string => {
  const open = [...fresh, ...grown]
  const [only] = open
  if (open.length === 1 && only) return `Fonds: ${short(only.brief ?? only.says)}`
  if (open.length > 1) return `Fonds: ${plural(open.length, 'thing waits', 'things wait')} for a person`
  return over.length === 1 && over[0] !== undefined
    ? `Fonds: ${ended(over[0])}`
    : `Fonds: ${over.length} things that waited for a person are over`
}

/** Characters of a subject beyond which lists of mails show no more of it. */
const maxSubject = 100

const short = (text: string): string =>
  text.length <= maxSubject ? text : `${text.slice(0, maxSubject).replace(/\s+\S*$/, '')} …`

const textOf = ({ fresh, grown, over }: Due, setting: MessageSetting, ended: Ended): string =>
  [
    ...section(
      'What waits for a person:',
      fresh.map((cause) => causeText(cause, setting)),
    ),
    ...section(
      'Told before, and there is more of it now:',
      grown.map((cause) => causeText(cause, setting)),
    ),
    ...section(
      'Over:',
      over.map((key) => `- ${visible(ended(key))}`),
    ),
    `From ${visible(setting.where)}. \`fonds doctor\` says all that waits now.`,
    '',
  ].join('\n')

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, '', ...lines, '']

const causeText = (cause: Cause, setting: MessageSetting): string =>
  [`- ${cause.says}`, cause.todo, linkOf(cause, setting)]
    .flatMap((line) => (line === undefined ? [] : [visible(line)]))
    .join('\n  ')
