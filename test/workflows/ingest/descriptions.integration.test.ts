import { mkdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { profilesTopic } from '#src/domain/ingest/messages.ts'
import { profiles } from '#src/domain/ingest/views.ts'
import { is, rowsIfFolded } from '#src/domain/kernel/read-views.ts'
import { reportOnTopic } from '#src/workers/runtime/report-on-topic.ts'
import { ingestWorld, until } from './ingest-world.ts'

const dc = `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:title>Boxes, by Dublin Core</dc:title><dc:creator>Dora</dc:creator><dc:date>1911</dc:date><dc:subject>wood</dc:subject>
  <dc:identifier>box-9</dc:identifier><dc:identifier>https://host.example/9</dc:identifier></oai_dc:dc>`
const dataCite = `<resource xmlns="http://datacite.org/schema/kernel-4"><creators><creator><creatorName>Cy</creatorName></creator>
  </creators><titles><title>Boxes, by DataCite</title></titles></resource>`

/** A world, and how to submit a box with such files beside its one letter. */
const boxes = async () => {
  const world = await ingestWorld()
  let count = 0
  const submit = async (files: Readonly<Record<string, string>>, more: object = {}) => {
    const box = join(world.content, `box-${count++}`)
    mkdirSync(box)
    for (const [name, text] of Object.entries({ 'a.txt': `letter ${count}`, ...files }))
      await writeFile(join(box, name), text)
    const id = await world.submit({ payload: { url: pathToFileURL(box).href, type: 'folder' }, ...more })
    await world.ended(id)
    return world.jobsOf(id)[0]!
  }
  return { ...world, submit }
}

describe('what is said of an object', () => {
  it('is what was submitted with it; Dublin Core fills gaps, DataCite goes before both, ERC before all', async () => {
    const world = await boxes()
    const submitted = { description: { what: 'Boxes, as submitted', dublinCore: { subject: ['boxes'] } } }
    const first = await world.submit({ 'mrt-dc.xml': dc }, submitted)
    expect(first).toMatchObject({ state: 'completed', title: 'Boxes, as submitted', localIds: ['box-9'] })
    expect(await world.stored(first.ark, 'system/mrt-erc.txt')).toBe(
      `erc:\nwho: Dora\nwhat: Boxes, as submitted\nwhen: 1911\nwhere: ${first.ark}\nwhere: box-9\n`,
    )
    const written = await world.stored(first.ark, 'system/mrt-dc.xml')
    for (const said of ['title>Boxes, by Dublin Core<', 'title>Boxes, as submitted<', 'subject>boxes<'])
      expect(written).toContain(said)
    expect(written).not.toContain('wood')

    const second = await world.submit({ 'mrt-datacite.xml': dataCite }, submitted)
    expect(second).toMatchObject({ state: 'completed', title: 'Boxes, by DataCite', localIds: [] })
    expect(await world.stored(second.ark, 'system/mrt-erc.txt')).toBe(
      `erc:\nwho: Cy\nwhat: Boxes, by DataCite\nwhen: (:unas)\nwhere: ${second.ark}\nwhere: (:unas)\n`,
    )

    const erc = 'who: Eve\nwhat: (:unkn)\nwhere: box-10; box-11\n'
    const third = await world.submit({ 'mrt-datacite.xml': dataCite, 'mrt-erc.txt': erc })
    expect(third).toMatchObject({ title: 'Boxes, by DataCite', localIds: ['box-10', 'box-11'] })
    expect(await world.stored(third.ark, 'system/mrt-erc.txt')).toContain('who: Eve\n')
  })

  it('names no local id by Dublin Core where the profile says so', async () => {
    const world = await boxes()
    const data = { name: 'plain', ignoreDcIdentifiers: true }
    await reportOnTopic(world.system, profilesTopic, 'fonds://test', [{ type: 'profile.set', data }])
    await until('the profile is known', () =>
      rowsIfFolded(world.system.viewStore, profiles, { where: [is('profile', 'plain')] }).at(0),
    )
    const job = await world.submit({ 'mrt-dc.xml': dc, 'mrt-erc.txt': 'where: box-1' }, { profile: 'plain' })
    expect(job).toMatchObject({ state: 'completed', localIds: ['box-1'] })
  })

  it('is read at once, however it is written', async () => {
    const world = await boxes()
    const blanks = ' '.repeat(400_000)
    const erc = `  Who/e1 :Eve\nwho: a${blanks}b\nwhat/${blanks}\nwhen:1912: or so \nno word\n`
    const job = await world.submit({ 'mrt-erc.txt': erc })
    expect(await world.stored(job.ark, 'system/mrt-erc.txt')).toMatch(
      /^erc:\nwho: Eve; a .*\nwhat: \(:unas\)\n/,
    )
    expect(await world.stored(job.ark, 'system/mrt-erc.txt')).toContain('when: 1912: or so\n')
  })

  it.each([
    ['mrt-dc.xml', '<!DOCTYPE dc [<!ENTITY a "b">]><dc><title>&a;</title></dc>', 'has a document type'],
    ['mrt-dc.xml', dataCite, 'has no term of Dublin Core in its <resource>'],
    ['mrt-dc.xml', 'title: Boxes', 'is no well-formed XML'],
    ['mrt-dc.xml', `<dc>${'<title>x</title>'.repeat(70_000)}</dc>`, 'is larger than 1048576 bytes'],
    ['mrt-datacite.xml', dc, 'is no DataCite: it is a <dc>'],
    ['mrt-erc.txt', Array.from({ length: 101 }, (_, i) => `where: box-${i}\n`).join(''), '101 local ids'],
  ])('by a %s that cannot be read fails the job in processing, with the reason', async (name, text, says) => {
    const world = await boxes()
    const job = await world.submit({ [name]: text })
    expect(job).toMatchObject({ state: 'failed', failedIn: 'processing', ark: null })
    expect(job.message).toContain(name)
    expect(job.message).toContain(says)
  })
})
