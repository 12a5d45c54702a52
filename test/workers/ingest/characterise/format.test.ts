import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileFormat } from '#src/domain/ingest/payload.ts'
import { readAnswer } from '#src/workers/ingest/characterise/format.ts'

const siegfried = (...matches: readonly object[]) =>
  JSON.stringify({
    siegfried: '1.11.2',
    identifiers: [{ name: 'pronom', details: 'DROID_SignatureFile_V120.xml' }],
    files: [{ filename: '/w/a.jpg', filesize: 3, modified: '2026-01-31T12:00:00Z', errors: '', matches }],
  })
const jpeg = {
  ns: 'pronom',
  id: 'fmt/43',
  format: 'JPEG File Interchange Format',
  version: '1.01',
  mime: 'image/jpeg',
  class: 'Image (Raster)',
  basis: 'extension match jpg; byte match at [[0 14]]',
  warning: '',
}
const fits = `<?xml version="1.0" encoding="UTF-8"?>
<fits xmlns="http://hul.harvard.edu/ois/xml/ns/fits/fits_output" version="1.6.0" timestamp="31.01.26 12:00">
  <identification><identity format="JPEG File Interchange Format" mimetype="image/jpeg" toolname="FITS" toolversion="1.6.0">
    <tool toolname="Droid" toolversion="6.5" /><version toolname="Droid">1.01</version>
    <externalIdentifier toolname="Droid" type="puid">fmt/43</externalIdentifier></identity></identification>
</fits>`
const known = { mimeType: 'image/jpeg', name: 'JPEG File Interchange Format', version: '1.01' }
const pronom = { registry: 'pronom', id: 'fmt/43' }

describe('the format that an answer names', () => {
  it.each<readonly [string, string, FileFormat | undefined]>([
    ['file --mime-type -b', 'image/jpeg\n', { mimeType: 'image/jpeg' }],
    ['file --mime -b', 'text/plain; charset=us-ascii\n', { mimeType: 'text/plain' }],
    ['file -b', 'JPEG image data, JFIF standard 1.01\n', undefined],
    ['sf -json', siegfried(jpeg), { ...known, ...pronom }],
    [
      'sf -json with several registries',
      siegfried({ ns: 'tika', id: 'image/jpeg', mime: 'image/jpeg' }, jpeg),
      { ...known, ...pronom },
    ],
    ['sf -json that knows none', siegfried({ ns: 'pronom', id: 'UNKNOWN', format: '', mime: '' }), undefined],
    ['FITS', fits, { ...known, ...pronom }],
    ['Tika /meta', '{"Content-Type":"Text/HTML; charset=UTF-8","X-Parsed-By":[]}', { mimeType: 'text/html' }],
    ['Tika /rmeta', '[{"Content-Type":["application/pdf"]},{}]', { mimeType: 'application/pdf' }],
    [
      'Tika /tika',
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="Content-Type" content="application/pdf"/></head></html>',
      { mimeType: 'application/pdf' },
    ],
    [
      'JHOVE',
      '<jhove xmlns="http://schema.openpreservation.org/ois/xml/ns/jhove"><repInfo uri="a"><format>TIFF</format><version>6.0</version><mimeType>image/tiff</mimeType></repInfo></jhove>',
      { mimeType: 'image/tiff', name: 'TIFF', version: '6.0' },
    ],
    ['a list of nothing', '[]', undefined],
    ['nothing', '', undefined],
    ['broken JSON', '{"mime": ', undefined],
    [
      'XML with a type of its own',
      '<!DOCTYPE a [<!ENTITY b "image/jpeg">]><mimeType>&b;</mimeType>',
      undefined,
    ],
    ['a MIME type that is none', '{"mimeType":"../../etc/passwd"}', undefined],
    ['a number for one', '{"mimeType":7,"puid":{"a":1},"files":[{"matches":[7,null]}]}', undefined],
  ])('%s', (_, text, format) => {
    expect(readAnswer(text).format).toEqual(format)
  })

  it('is kept with the answer as it came: JSON as a value, all else as text', () => {
    expect(readAnswer('{"mime":"a/b"}').answer).toEqual({ mime: 'a/b' })
    expect(readAnswer(fits).answer).toBe(fits)
    expect(readAnswer('a/b\n').answer).toBe('a/b\n')
  })

  it('can be told to others, whatever the answer', () => {
    const long = fc.string({ unit: 'binary', minLength: 0, maxLength: 400 })
    const answer = fc.oneof(
      fc.json(),
      long,
      fc
        .record({ mimeType: long, puid: long, format: long, version: long })
        .map((fields) => JSON.stringify(fields)),
    )
    fc.assert(
      fc.property(answer, (text) => {
        const { format = {} } = readAnswer(text)
        return FileFormat.is(format)
      }),
    )
  })
})
