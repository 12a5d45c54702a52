import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPrometheusTelemetry } from '#infra/telemetry/prometheus.ts'
import { settings } from '#src/app/config/settings.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')

const named = new Set(page.match(/\bFONDS_[A-Z_]+\b/g))
const all = Object.keys(settings).map(variableOf)

describe('docs/operations.md', () => {
  it('names every setting', () => {
    expect([...named]).toEqual(expect.arrayContaining(all))
  })

  it('names no setting that there is not', () => {
    const elsewhere = ['FONDS_ARCHIVE', 'FONDS_EVENTSTOREDB']
    expect([...all, ...elsewhere]).toEqual(expect.arrayContaining([...named]))
  })

  it('says what each metric means, and no other', async () => {
    const text = await createPrometheusTelemetry().metrics()
    const metrics = [...text.matchAll(/^# TYPE (fonds_\w+) /gm)].map(([, name]) => name)
    const told = page.slice(page.indexOf('## Watching'), page.indexOf('## When something is wrong'))
    expect([...new Set(told.match(/\bfonds_[a-z_]+\b/g))].sort()).toEqual(metrics.sort())
  })

  it('its links lead somewhere', () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    )
    for (const [, anchor] of page.matchAll(/\]\(#([^)]+)\)/g)) expect(headings).toContain(anchor)
    for (const [file] of page.matchAll(/infra\/[a-z./-]+[a-z]/g)) {
      const folder = join(root, file, '..')
      expect(readdirSync(folder), file).toContain(file.split('/').at(-1))
    }
  })
})
