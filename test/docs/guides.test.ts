import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPrometheusTelemetry } from '#infra/telemetry/prometheus.ts'
import { settings } from '#src/app/config/settings.ts'
import { variableOf } from '#src/domain/kernel/setting.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const guides = globSync('docs/{guides,reference}/*.md', { cwd: root })
const text = guides.map(read).join('\n')

const named = new Set(text.match(/\bFONDS_[A-Z0-9_]+\b/g))
const all = Object.keys(settings).map(variableOf)

describe('guides and reference', () => {
  it('name every setting', () => {
    expect([...named]).toEqual(expect.arrayContaining(all))
  })

  it('name no setting that there is not', () => {
    const elsewhere = ['FONDS_ARCHIVE', 'FONDS_EVENTSTOREDB']
    expect([...all, ...elsewhere]).toEqual(expect.arrayContaining([...named]))
  })

  it('say what each metric means, and no other', async () => {
    const metricsText = await createPrometheusTelemetry().metrics()
    const metrics = [...metricsText.matchAll(/^# TYPE (fonds_\w+) /gm)].map(([, name]) => name)
    const told = read('docs/guides/watch.md')
    expect([...new Set(told.match(/\bfonds_[a-z_]+\b/g))].sort()).toEqual(metrics.sort())
  })

  it('name files of infra that there are', () => {
    for (const [file] of text.matchAll(/infra\/[a-z./-]+[a-z]/g)) {
      const folder = join(root, file, '..')
      expect(readdirSync(folder), file).toContain(file.split('/').at(-1))
    }
  })
})
