import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contentTopic, lines, recorded, useFonds } from './fonds.ts'

const fonds = useFonds()

const identifier = (name: string, type: string, value: string) =>
  `<p:${name}Identifier><p:${name}IdentifierType>${type}</p:${name}IdentifierType><p:${name}IdentifierValue>${value}</p:${name}IdentifierValue></p:${name}Identifier>`
const event = (id: string, { date = '2015-07-23', type = 'virus check', more = '' } = {}) =>
  `<p:event version="3.0">\n${identifier('event', 'UUID', id)}\n<p:eventType>${type}</p:eventType>\n<p:eventDateTime>${date}</p:eventDateTime>
${more}${identifier('linkingAgent', 'system', 'old-1')}${identifier('linkingAgent', 'user', '1')}${identifier('linkingObject', 'path', 'main/a.tif')}</p:event>`
const passed = '<p:eventOutcomeInformation><p:eventOutcome>Pass</p:eventOutcome></p:eventOutcomeInformation>'
const agent = (type: string, value: string, name: string, kind: string) =>
  `<p:agent version="3.0">${identifier('agent', type, value)}<p:agentName>${name}</p:agentName><p:agentType>${kind}</p:agentType></p:agent>`

/** A file of an earlier system: a program and a person did what happened. */
const file = (...events: readonly string[]) =>
  fonds.file(
    'old.xml',
    `<mets xmlns:p="http://www.loc.gov/premis/v3">${events.join('\n')}${agent('system', 'old-1', 'Old', 'software')}${agent('user', '1', 'Ada Brandt', 'person')}</mets>`,
  )
const imports = (path: string, ...more: readonly string[]) =>
  fonds.run(['premis', 'import', path, '--source', 'old', '--actor', 'ben', '--reason', 'we moved', ...more])

describe('fonds premis import', () => {
  it('adds events to the history of their things, once, with their own time and source', async () => {
    await fonds.run(['produce', contentTopic, '--wait'], { stdin: lines(recorded('a.tif')) })
    const path = file(event('e1', { more: passed }), event('e2', { type: 'ingestion', date: '2015' }))
    expect((await imports(path)).rows).toEqual([
      { file: path, events: 2, imported: 2, alreadyThere: 0, things: 1 },
    ])
    expect((await imports(path)).rows).toEqual([
      { file: path, events: 2, imported: 0, alreadyThere: 2, things: 1 },
    ])

    const { rows } = await fonds.run(['history', 'main/a.tif'])
    expect(rows.map(({ type }) => type)).toEqual([
      'ContentRecorded',
      'EarlierEventImported',
      'EarlierEventImported',
    ])
    expect(rows.slice(1).map(({ id }) => String(id)[14])).toEqual(['5', '5'])
    const { out } = await fonds.run(['history', 'main/a.tif'], { terminal: 100, env: { NO_COLOR: '1' } })
    expect(out).toMatch(
      /^2015-07-23 {2}Virus check {2}in old, imported by ben, position \d+\n {21}Pass\n {21}UUID e1$/m,
    )

    const { out: xml } = await fonds.run(['premis', 'main/a.tif'])
    expect(xml).toMatch(
      /eventIdentifierValue>e1<[\s\S]*eventType\/vir">virus check<[\s\S]*<premis:eventDateTime>2015-07-23</,
    )
    expect(xml).toContain('<premis:linkingObjectIdentifierValue>main/a.tif<')
    expect(xml).toContain('<own:source>old<')
    expect(xml).toContain(`<own:id>${rows[1]?.id}<`)
  })

  it('keeps names of people out of the log, and forgets them on request', async () => {
    await imports(file(event('e1')))
    const log = () => readFileSync(join(fonds.home, 'fonds.db'))
    const { rows } = await fonds.run(['people', 'list'])
    expect(rows).toMatchObject([{ name: 'Ada Brandt' }])
    const { out } = await fonds.run(['premis', 'main/a.tif'])
    expect(out).toContain(`>${rows[0]?.reference}<`)
    expect(out).toContain('<premis:agentName>Old<')
    expect(out).not.toContain('Brandt')
    expect(log().includes('Brandt')).toBe(false)
    await fonds.run([
      'do',
      'people.forget',
      `person=${rows[0]?.reference}`,
      '--actor',
      'ben',
      '--reason',
      'asked',
    ])
    expect((await fonds.run(['people', 'list'])).rows).toEqual([])
    await imports(file(event('e1')))
    expect((await fonds.run(['people', 'list'])).rows).toEqual([])
  })

  it('of a file with a fault nothing is imported: the error names element and line (Q118)', async () => {
    const { code, out, err } = await imports(file(event('e1'), event('e2', { date: 'yesterday' })))
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('old.xml: line 9: eventDateTime is no date of ISO 8601: "yesterday"')
    expect((await fonds.run(['history', 'main/a.tif'])).code).toBe(1)
  })

  it('an identifier that named another event is refused', async () => {
    await imports(file(event('e1')))
    const { code, err } = await imports(file(event('e1', { more: passed })))
    expect(code).toBe(1)
    expect(err).toContain('line 1: the event UUID e1 of old was imported before, and was another one')
  })

  it('--thing is what all events are about; one that is not known is told', async () => {
    const path = file(event('e1'))
    const { rows, err } = await imports(path, '--thing', 'ark:/99999/x')
    expect(rows).toMatchObject([{ imported: 1, things: 1 }])
    expect(err).toContain('nothing else is known of ark:/99999/x')
    expect((await fonds.run(['premis', 'ark:/99999/x'])).out).toContain(
      '<premis:objectIdentifierType>fonds thing<',
    )
    expect((await fonds.run(['premis', 'main/a.tif'])).code).toBe(1)
  })

  it.each([
    [['missing.xml'], 1, 'is not there'],
    [['.'], 1, 'is a folder'],
    [['missing.xml', '--source', ' '], 2, '--source must have text'],
  ])('%j is refused', async ([path = '', ...more], expected, says) => {
    const { code, err } = await imports(join(fonds.folder, path), ...more)
    expect(code).toBe(expected)
    expect(err).toContain(says)
  })
})
