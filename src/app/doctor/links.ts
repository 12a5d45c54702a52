import { type Finding, warn } from '../../workflows/finding.ts'
import type { Config } from '../config/settings.ts'

/** A warning where people are written to, and no message can lead them to the page. */
export const messageLinks = ({
  noticesMail,
  noticesWebhook,
  reports,
  publicUrl,
}: Pick<Config, 'noticesMail' | 'noticesWebhook' | 'reports' | 'publicUrl'>): readonly Finding[] =>
  publicUrl === undefined && [noticesMail, noticesWebhook, reports].some((one) => one !== undefined)
    ? [
        warn(
          'links',
          'mails and notices have no link to the page: its address is not known',
          '`fonds settings set publicUrl https://…`, or FONDS_PUBLIC_URL',
        ),
      ]
    : []
