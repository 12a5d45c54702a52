import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkCheck } from '@fonds/premis'
import { beforeAll, describe, expect, it } from 'vitest'
import { premisDocument } from '#src/app/premis/document.ts'
import { type PremisItem, premisOf } from '#src/app/premis/export.ts'
import { importPremis } from '#src/app/premis/import.ts'
import { withLeaves } from '#src/app/premis/with-leaves.ts'
import { ownTree } from '#src/app/proof/own-tree.ts'
import { sealNow } from '#src/app/proof/seal-now.ts'
import type { System } from '#src/app/system.ts'
import { categoryOf, idOf } from '#src/domain/kernel/event.ts'
import { catchUp } from '#src/projections/runtime/catch-up.ts'
import { projectionsOf } from '#src/workflows/workflow-model.ts'
import { openHome } from '../../e2e/open-home.ts'
import { complaintsOfSchema, lacksRapper, lacksXmllint, triplesOf } from './premis-judges.ts'

/* Every thing of a home that older code wrote, as PREMIS. It has no submissions: test/e2e/demo exports those. */

const kept = join(import.meta.dirname, '../../fixtures/homes/f63f04c/home.tar.gz')

interface Exported {
  readonly id: string
  readonly items: readonly PremisItem[]
}

/** An event with a word of its own, two outcomes and no agent. */
const ofEarlierSystem = `<premis:event xmlns:premis="http://www.loc.gov/premis/v3" version="3.0">
  <premis:eventIdentifier><premis:eventIdentifierType>local</premis:eventIdentifierType><premis:eventIdentifierValue>1</premis:eventIdentifierValue></premis:eventIdentifier>
  <premis:eventType>weeding</premis:eventType><premis:eventDateTime>1999</premis:eventDateTime>
  <premis:eventOutcomeInformation><premis:eventOutcome>kept</premis:eventOutcome></premis:eventOutcomeInformation>
  <premis:eventOutcomeInformation><premis:eventOutcome>copied</premis:eventOutcome></premis:eventOutcomeInformation>
</premis:event>`

const found: Exported[] = []

async function* streamed(items: readonly PremisItem[]) {
  yield* items
}
const text = async ({ items }: Exported, format: 'xml' | 'rdf') => {
  const pieces: string[] = []
  for await (const piece of premisDocument(streamed(items), format)) pieces.push(piece)
  return pieces.join('')
}

const idsOf = async ({ eventStore }: System): Promise<readonly string[]> => {
  const ids = new Set<string>()
  for (let after = -1n; ; ) {
    const batch = await eventStore.readAll(after, {}, 1000)()
    if (batch._tag === 'Left') throw new Error(batch.left.reason)
    for (const { stream } of batch.right.events)
      if (!/^(duty|presence)/.test(categoryOf(stream))) ids.add(idOf(stream))
    if (batch.right.caughtUp) return [...ids]
    after = batch.right.position
  }
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonds-premis-'))
  execFileSync('tar', ['-xzf', kept, '-C', folder])
  const system = await openHome(join(folder, 'home'))
  try {
    const { eventStore, viewStore, workflows } = system
    await catchUp({
      eventStore,
      viewStore,
      projections: projectionsOf(workflows),
      signal: new AbortController().signal,
    })
    const earlier = join(folder, 'earlier.xml')
    writeFileSync(earlier, ofEarlierSystem)
    const given = {
      source: 'old',
      thing: (await idsOf(system)).find((id) => id.includes('/')) ?? '',
      actor: 'ada',
      reason: 'a test',
    }
    await importPremis(system, earlier, given, new AbortController().signal)
    expect(await sealNow(system)).toBe(undefined)
    const tree = await ownTree(system)
    if (tree.kind !== 'own') throw new Error(tree.kind)
    for (const id of await idsOf(system)) {
      const exported = await premisOf(system, id)
      if ('kind' in exported) continue
      const items: PremisItem[] = []
      for await (const item of withLeaves(exported, eventStore, tree)) items.push(item)
      found.push({ id, items })
    }
  } finally {
    await system.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

describe('things of a kept home', () => {
  it('of each workflow there are some', () => {
    const types = new Set(
      found.flatMap(({ items }) =>
        items.flatMap((item) => (item.kind === 'object' ? [item.object.identifiers[0].type] : [])),
      ),
    )
    for (const type of ['fonds store', 'fonds item', 'fonds work', 'fonds episode', 'fonds clip'])
      expect(types).toContain(type)
  })

  it('what an earlier system told is among them, as it was told', () => {
    const events = found.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'event' ? [item.event] : [])),
    )
    const told = events.filter(({ type }) => type.value === 'weeding')
    expect(told.length).toBeGreaterThan(1)
    for (const event of told)
      expect(event).toMatchObject({
        dateTime: '1999',
        identifier: { type: 'local', value: '1' },
        outcome: { term: { value: 'kept' }, note: 'copied' },
      })
  })

  it('Q119: each sealed event names its leaf', () => {
    const events = found.flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'event' ? [item] : [])),
    )
    const leaves = events.filter(({ event: { facts = {} } }) => /^\d+$/.test(facts.leaf ?? ''))
    expect(leaves.length).toBeGreaterThan(20)
  })

  it('identifiers are there once, and all links lead to what is there (Q118)', () => {
    for (const { id, items } of found) {
      const check = linkCheck()
      for (const item of items)
        if (item.kind === 'object') check.object(item.object)
        else if (item.kind === 'event') check.event(item.event)
        else check.agent(item.agent)
      expect(check.problems(), id).toEqual([])
    }
  })

  it.skipIf(lacksXmllint)('each is valid by the schema of PREMIS 3.0', async () => {
    for (const one of found) expect(complaintsOfSchema(await text(one, 'xml')), one.id).toBe('')
  })

  it.skipIf(lacksRapper)('each is RDF, with an event for each in XML', async () => {
    for (const one of found) {
      const triples = triplesOf(await text(one, 'rdf'))
      const events = one.items.filter(({ kind }) => kind === 'event')
      const stated = triples.filter(
        (line) => line.includes('/prov#endedAtTime>') || line.includes('/dc/terms/date>'),
      )
      expect(stated, one.id).toHaveLength(events.length)
    }
  })
})
