import { describe, expect, it } from 'vitest'
import { readDataCite } from '#src/workers/ingest/describe/datacite-file.ts'
import { readDublinCore } from '#src/workers/ingest/describe/dublin-core-file.ts'
import { childrenOf, parseXml, textOf } from '#src/workers/ingest/xml.ts'

const parse = (text: string) => parseXml(Buffer.from(text))
const refusal = (bytes: Uint8Array | string): string => {
  try {
    parseXml(Buffer.from(bytes))
    return 'read'
  } catch (error) {
    return (error as Error).message
  }
}

describe('XML of others', () => {
  it('is read with its namespaces, references and marked sections', () => {
    const root = parse('<a xmlns="n" xmlns:p="m"><p:b x="1">&lt;A &amp; &#66;&#x43;</p:b><![CDATA[<d>]]></a>')
    expect(root).toMatchObject({ name: 'a', namespace: 'n' })
    expect(childrenOf(root)).toMatchObject([{ name: 'b', namespace: 'm', attributes: { x: '1' } }])
    expect(textOf(root)).toBe('<A & BC<d>')
  })

  it('is read in the encoding that it names, or begins with', () => {
    const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><a>Zürich</a>`
    const utf16 = Buffer.from(xml('UTF-16'), 'utf16le')
    const all = [
      Buffer.from(xml('utf-8')),
      Buffer.from(`\uFEFF${xml('UTF-8')}`),
      Buffer.from(xml('ISO-8859-1'), 'latin1'),
      utf16,
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
      Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16(),
    ]
    for (const bytes of all) expect(textOf(parseXml(bytes))).toBe('Zürich')
  })

  const laughs = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
  it.each<readonly [string, string | Uint8Array, RegExp]>([
    ['a billion laughs', `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs.join('')}]><a>&l9;</a>`, /document type/],
    ['a file of this machine', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /type/],
    ['a type elsewhere', '<!DOCTYPE a SYSTEM "http://127.0.0.1/a.dtd"><a/>', /document type/],
    ['an entity that nobody declared', '<a>&eacute;</a>', /no well-formed XML: .*entity/],
    ['an element that does not end', '<a><b></a>', /no well-formed XML/],
    ['two roots', '<a/><b/>', /no well-formed XML/],
    ['a prefix without a namespace', '<a><dc:title>A</dc:title></a>', /no well-formed XML/],
    ['a control character', '<a>\u0001</a>', /no well-formed XML/],
    ['nothing', '', /no well-formed XML/],
    ['prose', 'Dear all', /no well-formed XML/],
    ['elements without end in elements', '<a>'.repeat(101), /more than 100 deep/],
    ['bytes of another encoding', Buffer.from('<a>Zürich</a>', 'latin1'), /is no text in utf-8/],
    ['an encoding that nobody knows', '<?xml version="1.0" encoding="martian"?><a/>', /no text in martian/],
  ])('%s is refused', (_, bytes, says) => {
    expect(refusal(bytes)).toMatch(says)
  })
})

describe('Dublin Core', () => {
  const dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"'
  const said = '<dc:title>Letters</dc:title><dc:creator>Ada</dc:creator><dc:creator>Bob</dc:creator>'
  const expected = { title: ['Letters'], creator: ['Ada', 'Bob'] }

  it.each([
    [
      'oai_dc',
      `<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" ${dc}>${said}</oai_dc:dc>`,
    ],
    ['qualified', `<qualifieddc ${dc}>${said}</qualifieddc>`],
    ['metadata', `<metadata ${dc}>${said}</metadata>`],
    ['without namespaces', `<metadata>${said.replaceAll('dc:', '')}</metadata>`],
    ['its own default namespace', `<dc xmlns="http://purl.org/dc/terms/">${said.replaceAll('dc:', '')}</dc>`],
    [
      'within a record',
      `<record xmlns="http://www.openarchives.org/OAI/2.0/" ${dc}><header><identifier>oai:1</identifier></header><metadata><x>${said}</x></metadata></record>`,
    ],
    [
      'RDF',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ${dc}><rdf:Description rdf:about="">${said}<dc:rights rdf:resource="http://x"/></rdf:Description></rdf:RDF>`,
    ],
  ])('is read as %s', (_, text) => {
    expect(readDublinCore(parse(text))).toEqual(expected)
  })

  it('has refined terms count as what they refine, and no value twice', () => {
    const text = `<m ${dc}><dcterms:issued>1912</dcterms:issued><dc:date> 1912 </dc:date><dcterms:abstract>On
      boats</dcterms:abstract><dc:identifier/><dcterms:audience>all</dcterms:audience></m>`
    expect(readDublinCore(parse(text))).toEqual({ date: ['1912'], description: ['On boats'] })
  })

  it('takes a term within another for a part of its value', () => {
    const text = `<m ${dc}><dcterms:creator><x xmlns="y"><dc:title>Dr</dc:title> Ada</x></dcterms:creator></m>`
    expect(readDublinCore(parse(text))).toEqual({ creator: ['Dr Ada'] })
  })

  it('without a term is none', () => {
    expect(() => readDublinCore(parse('<metadata><name>x</name></metadata>'))).toThrow(
      'has no term of Dublin Core in its <metadata>',
    )
  })
})

describe('DataCite', () => {
  it.each(['http://datacite.org/schema/kernel-3', 'http://datacite.org/schema/kernel-4'])('%s', (kernel) => {
    const text = `<resource xmlns="${kernel}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
      <identifier identifierType="DOI">10.5072/x</identifier>
      <creators><creator><creatorName nameType="Personal">Lovelace, Ada</creatorName><givenName>Ada</givenName></creator>
        <creator><creatorName>Bob</creatorName></creator></creators>
      <titles><title titleType="Subtitle">A study</title><title xml:lang="en">Letters</title></titles>
      <publisher>(:unas)</publisher><publicationYear>1912</publicationYear></resource>`
    expect(readDataCite(parse(text))).toEqual({ who: 'Lovelace, Ada; Bob', what: 'Letters', when: '1912' })
  })

  it('says nothing by its standard values of what is not known', () => {
    const text = `<resource><creators><creator><creatorName>(:unkn)</creatorName></creator></creators><titles>
      <title>:unav</title><title titleType="AlternativeTitle">Boxes</title></titles></resource>`
    expect(readDataCite(parse(text))).toEqual({ what: 'Boxes' })
  })

  it.each([
    ['<metadata/>', 'is no DataCite: it is a <metadata>'],
    ['<resource><creators/></resource>', 'has neither a creator'],
  ])('%s is none', (text, says) => {
    expect(() => readDataCite(parse(text))).toThrow(says)
  })
})
