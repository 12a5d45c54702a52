import type { ChangeItem } from '#src/projections/indexing/changes/change-page.ts'

/** What a secondary keeps: lines, and where to go on. */
export interface Secondary {
  readonly lines: Set<string>
  since: string | undefined
}

export const applyItem = ({ lines }: Secondary, item: ChangeItem): void => {
  if ('add' in item) lines.add(item.add)
  else if ('remove' in item) lines.delete(item.remove)
  else {
    const from = Buffer.from(item.anew.from)
    const to = item.anew.to === undefined ? undefined : Buffer.from(item.anew.to)
    for (const line of lines) {
      const bytes = Buffer.from(line)
      if (Buffer.compare(bytes, from) >= 0 && (!to || Buffer.compare(bytes, to) < 0)) lines.delete(line)
    }
  }
}
