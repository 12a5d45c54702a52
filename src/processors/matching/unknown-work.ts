import { clip } from '../../domain/kernel/clip.ts'
import { is, rowsIfFolded } from '../../domain/kernel/read-views.ts'
import { visible } from '../../domain/kernel/visible.ts'
import { works } from '../../domain/matching/views.ts'
import type { RejectionByViews } from '../runtime/operator-command.ts'

/** Rejects a work that no source has described. */
export const notUnknown =
  (work: string): RejectionByViews =>
  (views) =>
    rowsIfFolded(views, works, { where: [is('work', work)], limit: 1 }).length > 0
      ? undefined
      : { code: 'unknown-work', message: `nothing is known of ${visible(clip(work, 100))}` }
