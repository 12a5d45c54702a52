import { type Bag, bagOf, digestOf, withTagManifest } from './bags.ts'

/* Bags of our own making with the merits and defects of those of the Library of Congress's conformance suite, by its names. */

export interface ConformanceBag {
  /** As the suite names it; `ours/` where it has none of the kind. */
  readonly name: string
  readonly bag: Bag
  /** Complete and valid by RFC 8493; before 1.0 by what the suite lets pass. */
  readonly isValid: boolean
  /** Told by its bytes alone, which a survey does not read. */
  readonly isComplete?: boolean
  /** Why bagit.py says otherwise. */
  readonly differs?: string
}

const md5 = (bytes: string | Uint8Array) => digestOf('md5', bytes)
const payload: Bag = { 'data/bare-filename': 'bare', 'data/dir/hello.txt': 'hello\n' }
const declaration = (version: string, encoding = 'UTF-8') =>
  `BagIt-Version: ${version}\nTag-File-Character-Encoding: ${encoding}\n`

/** A bag of version 0.97, as most archives hold them. */
const old = (changes: Bag = {}, files: Bag = payload): Bag =>
  withTagManifest({ ...bagOf(files, ['md5']), 'bagit.txt': declaration('0.97'), ...changes })
const modern = (changes: Bag = {}, files: Bag = payload): Bag =>
  withTagManifest({ ...bagOf(files, ['sha512']), ...changes })
const without = (bag: Bag, ...paths: readonly string[]): Bag =>
  Object.fromEntries(Object.entries(bag).filter(([path]) => !paths.includes(path)))
const lines = (files: Bag): string =>
  Object.entries(files)
    .map(([path, bytes]) => `${md5(bytes)}  ${path}\n`)
    .join('')

const valid = (name: string, bag: Bag, differs?: string): ConformanceBag => ({
  name,
  bag,
  isValid: true,
  ...(differs !== undefined && { differs }),
})
const invalid = (name: string, bag: Bag, differs?: string): ConformanceBag => ({
  name,
  bag,
  isValid: false,
  ...(differs !== undefined && { differs }),
})
const corrupt = (name: string, bag: Bag): ConformanceBag => ({ name, bag, isValid: false, isComplete: true })

const outOf = (path: string): Bag => old({ 'manifest-md5.txt': `${lines(payload)}${md5('x')}  ${path}\n` })
const fetchOutOf = (path: string): Bag => old({ 'fetch.txt': `http://localhost/foo - ${path}\n` })

const accented = 'data/\u00e9.txt'
const fetched = (form: 'NFC' | 'NFD'): Bag => ({
  'fetch.txt': `https://example.org/e - ${accented.normalize(form)}\n`,
})

const unsafePaths = {
  'linux-only/out-of-scope-file-paths-using-absolute-path': '/tmp/foo',
  'linux-only/out-of-scope-file-paths-using-shortcut': '~/foo',
  'linux-only/out-of-scope-file-paths-using-shortcut-username': '~root/foo',
  'windows-only/out-of-scope-file-paths-using-absolute-path': 'C:\\Windows\\System32\\setx.exe',
  'windows-only/out-of-scope-file-paths-using-shortcut': '%HomeDrive%\\Windows\\System32\\setx.exe',
  'windows-only/out-of-scope-file-paths-using-unc': '\\\\?\\UNC\\server\\Windows\\System32\\setx.exe',
  'invalid/out-of-scope-file-paths-using-dot-notation': '../../../README.md',
}

const spaceBeforeColon =
  'RFC 8493 §2.1.1: "BagIt-Version: M.N" and nothing else; bagit.py lets white space stand before the colon'

const bytes16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
/** Node's names of algorithms that manifests are named after. */
const nodeNames: Readonly<Record<string, string>> = {
  sha3_256: 'sha3-256',
  sha3256: 'sha3-256',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
  sha512_256: 'sha512-256',
  sha512256: 'sha512-256',
  'SHA-256': 'sha256',
  gost: 'sha256',
}

const ofAlgorithm = (name: string): Bag => {
  const manifest = Object.entries(payload).map(
    ([path, bytes]) => `${digestOf(nodeNames[name] ?? name, bytes)}  ${path}\n`,
  )
  return withTagManifest({ ...bagOf(payload, []), [`manifest-${name}.txt`]: manifest.join('') })
}

/** Every tag file, rewritten. */
const rewritten = (bag: Bag, change: (text: string, path: string) => string): Bag => {
  const tags = Object.entries(bag).filter(([path]) => !/^data\/|^tagmanifest-/.test(path))
  const changed = Object.fromEntries(tags.map(([path, text]) => [path, change(String(text), path)]))
  const next = withTagManifest({ ...bag, ...changed })
  return {
    ...next,
    'tagmanifest-sha256.txt': change(String(next['tagmanifest-sha256.txt']), 'tagmanifest-sha256.txt'),
  }
}
/** LF, CR, CR LF in turn. */
const mixed = (text: string): string => {
  let line = 0
  return text.replaceAll('\n', () => ['\n', '\r', '\r\n'][line++ % 3]!)
}

const umlaut = 'data/Präparat.txt'

/** Its tag manifest, too. */
const inUtf16 = (): Bag => {
  const bag = old(
    {
      'bagit.txt': declaration('0.97', 'UTF-16'),
      'manifest-md5.txt': bytes16(lines({ [umlaut]: 'x' })),
      'bag-info.txt': bytes16('Note: ä\n'),
    },
    { [umlaut]: 'x' },
  )
  return { ...bag, 'tagmanifest-sha256.txt': bytes16(String(bag['tagmanifest-sha256.txt'])) }
}

export const conformanceBags: readonly ConformanceBag[] = [
  valid('v0.97/valid/basic-bag', old()),
  valid(
    'v0.97/valid/basic-bag-sha1',
    withTagManifest({ ...bagOf(payload, ['sha1']), 'bagit.txt': declaration('0.97') }),
  ),
  valid('v0.97/valid/minimal-bag', {
    'bagit.txt': declaration('0.97'),
    'manifest-md5.txt': lines({ 'data/a': 'a' }),
    'data/a': 'a',
  }),
  valid(
    'v0.97/valid/duplicate-metadata-entries',
    old({ 'bag-info.txt': 'Note: one\nNote: two\nNote: one\n' }),
  ),
  valid(
    'v0.97/valid/uncommon-metadata-separators',
    old({ 'bag-info.txt': 'Note : one\nOther:two\nLong: one\n   two\n\tthree\n' }),
  ),
  valid('v0.97/valid/bag-with-space', old({}, { 'data/a b.txt': 'x', 'data/c  d/e f': 'y' })),
  valid(
    'v0.97/valid/bag-with-escapable-characters',
    old({}, { "data/it's (#1) & [2]; $3 *.txt": 'x', 'data/"quoted"': 'y' }),
  ),
  valid(
    'v0.97/valid/bag-with-encoded-names',
    old({ 'manifest-md5.txt': `${md5('x')}  data/two%0Alines\n` }, { 'data/two\nlines': 'x' }),
  ),
  valid(
    'v0.97/valid/bag-with-leading-dot-slash-in-manifest',
    old({ 'manifest-md5.txt': lines(payload).replaceAll('  data', '  ./data') }),
  ),
  valid(
    'v0.97/valid/bag-in-a-bag',
    old({}, Object.fromEntries(Object.entries(old()).map(([path, bytes]) => [`data/inner/${path}`, bytes]))),
  ),
  valid('v0.97/valid/UTF-16-encoded-tag-files', inUtf16()),
  valid(
    'v0.97/valid/ISO-8859-1-encoded-tag-files',
    old(
      {
        'bagit.txt': declaration('0.97', 'ISO-8859-1'),
        'manifest-md5.txt': Buffer.from(lines({ [umlaut]: 'x' }), 'latin1'),
        'bag-info.txt': Buffer.from('Note: ä\n', 'latin1'),
      },
      { [umlaut]: 'x' },
    ),
  ),
  valid(
    'v0.97/warning/made-with-md5sum-tools',
    old({ 'manifest-md5.txt': lines(payload).replaceAll('  ', ' *') }),
  ),
  valid(
    'v0.97/warning/same-filename-listed-twice-with-the-same-hash',
    old({ 'manifest-md5.txt': lines(payload) + lines(payload) }),
  ),
  valid('v0.97/warning/special-system-files', old({}, { 'data/.DS_Store': 'x', 'data/Thumbs.db': 'y' })),
  valid(
    'v0.97/warning/filename-normalization',
    old({ 'manifest-md5.txt': lines({ [umlaut]: 'x' }) }, { [umlaut.normalize('NFD')]: 'x' }),
  ),
  valid(
    'v0.97/warning/duplicate-file-with-different-case',
    old({}, { 'data/a.txt': 'x', 'data/A.txt': 'y' }),
  ),
  invalid('v0.97/invalid/bom-in-bagit.txt', old({ 'bagit.txt': `\uFEFF${declaration('0.97')}` })),
  invalid('v0.97/invalid/baginfo-missing-encoding', old({ 'bagit.txt': 'BagIt-Version: 0.97\n' })),
  invalid(
    'v0.97/invalid/bagit-with-invalid-whitespace',
    old({ 'bagit.txt': declaration('0.97').replaceAll(':', ' :') }),
    spaceBeforeColon,
  ),
  invalid('v0.97/invalid/invalid-version-number', old({ 'bagit.txt': declaration('.97') })),
  invalid('v0.97/invalid/extra-file-in-bag', { ...old(), 'data/bar': 'x' }),
  invalid('v0.97/invalid/missing-baginfo', without(old(), 'bag-info.txt')),
  invalid('v0.97/invalid/missing-bagit.txt', without(old(), 'bagit.txt')),
  corrupt('v0.97/invalid/corrupt-data-file', { ...old(), 'data/bare-filename': 'bARE' }),
  corrupt('v0.97/invalid/corrupt-tag-file', {
    ...old(),
    'bag-info.txt': 'Note: corrupt\n',
  }),
  invalid(
    'v0.97/invalid/same-filename-listed-twice-with-different-hashes',
    old({ 'manifest-md5.txt': `${lines(payload)}${md5('other')}  data/bare-filename\n` }),
  ),
  ...Object.entries(unsafePaths).flatMap(([name, path]) => [
    invalid(`v0.97/${name}`, outOf(path)),
    invalid(
      `v0.97/${name}-for-fetch`,
      fetchOutOf(path),
      name.startsWith('windows-only')
        ? 'bagit.py knows the names of the system alone on which it runs'
        : undefined,
    ),
  ]),
  valid('v1.0/valid/basicBag', modern()),
  invalid(
    'v1.0/invalid/bagit-with-invalid-whitespace',
    modern({ 'bagit.txt': declaration('1.0').replaceAll(':', ' :') }),
    spaceBeforeColon,
  ),
  invalid(
    'v1.0/invalid/missing-from-manifest',
    modern({ 'bag-info.txt': 'Note: no Oxum\n', 'data/missingFromManifest.txt': 'x' }),
  ),
  invalid(
    'v1.0/invalid/same-filename-listed-twice-with-different-hashes',
    modern({
      'manifest-sha512.txt': `${modern()['manifest-sha512.txt']}${digestOf('sha512', 'other')}  data/bare-filename\n`,
    }),
  ),
  invalid(
    'ours/missing-from-one-manifest',
    withTagManifest({ ...bagOf(payload), 'manifest-md5.txt': lines({ 'data/bare-filename': 'bare' }) }),
    'RFC 8493 §3: every payload file is in every payload manifest since version 1.0; bagit.py wants it in one',
  ),
  valid(
    'ours/line-ends-cr',
    rewritten(modern(), (text) => text.replaceAll('\n', '\r')),
  ),
  valid(
    'ours/line-ends-cr-lf',
    rewritten(modern(), (text) => text.replaceAll('\n', '\r\n')),
  ),
  valid('ours/line-ends-mixed', rewritten(modern(), mixed)),
  valid(
    'ours/line-ends-cr-0.97',
    rewritten(old(), (text) => text.replaceAll('\n', '\r')),
  ),
  valid(
    'ours/bom-in-manifests',
    rewritten(modern(), (text, path) => (path === 'bagit.txt' ? text : `\uFEFF${text}`)),
  ),
  valid('ours/percent-signs-literal-0.97', old({}, { 'data/50%25.txt': 'x', 'data/a%20b%0.txt': 'y' })),
  valid('ours/percent-signs-literal-1.0', modern({}, { 'data/50%.txt': 'x', 'data/50%25.txt': 'y' })),
  valid(
    'ours/percent-signs-encoded',
    modern(
      { 'manifest-sha512.txt': `${digestOf('sha512', 'x')}  data/50%25.txt\n` },
      { 'data/50%.txt': 'x' },
    ),
    'RFC 8493 §2.1.3: a percent sign is encoded; bagit.py decodes line ends alone',
  ),
  valid(
    'ours/names-of-windows',
    modern({ 'manifest-sha512.txt': String(modern()['manifest-sha512.txt']).replaceAll('/', '\\') }),
    'Windows tools write backslashes, which bagit.py understands on Windows alone',
  ),
  invalid(
    'ours/names-of-windows-that-lead-out',
    modern({
      'manifest-sha512.txt': `${modern()['manifest-sha512.txt']}${digestOf('sha512', 'x')}  data\\..\\..\\x\n`,
    }),
  ),
  ...(['sha3_256', 'blake2b', 'blake2s'] as const).map((algorithm) =>
    valid(`ours/manifest-${algorithm}.txt`, ofAlgorithm(algorithm)),
  ),
  ...(['sha512_256', 'SHA-256', 'sha3256', 'sha512256'] as const).map((algorithm) =>
    valid(
      `ours/manifest-${algorithm}.txt`,
      ofAlgorithm(algorithm),
      'RFC 8493 §2.4 leaves out punctuation and case; bagit.py knows the spellings alone that hashlib guarantees',
    ),
  ),
  corrupt('ours/manifest-sha3_256.txt-corrupt', { ...ofAlgorithm('sha3_256'), 'data/bare-filename': 'bARE' }),
  invalid('ours/manifest-gost.txt', ofAlgorithm('gost')),
  valid('ours/missing-from-one-manifest-0.97', {
    ...withTagManifest({
      ...bagOf(payload),
      'bagit.txt': declaration('0.97'),
      'manifest-md5.txt': lines({ 'data/bare-filename': 'bare' }),
    }),
  }),
  invalid(
    'ours/same-filename-listed-twice-with-the-same-hash-1.0',
    modern({ 'manifest-sha512.txt': `${modern()['manifest-sha512.txt']}`.repeat(2) }),
  ),
  invalid('ours/payload-oxum', modern({ 'bag-info.txt': 'Payload-Oxum: 9.2\n' })),
  invalid('ours/no-payload-manifest', withTagManifest(bagOf(payload, []))),
  invalid('ours/missing-payload-file', without(modern(), 'data/bare-filename')),
  invalid(
    'ours/not-fetched',
    without(modern({ 'fetch.txt': 'https://example.org/bare 4 data/bare-filename\n' }), 'data/bare-filename'),
  ),
  ...(['NFC', 'NFD'] as const).map((form) =>
    valid(`ours/fetched-named-in-${form}-by-fetch.txt-alone`, {
      ...modern(fetched(form), { [accented.normalize(form === 'NFC' ? 'NFD' : 'NFC')]: 'x' }),
    }),
  ),
  valid('ours/fetched-named-in-NFC-by-the-manifest-alone', {
    ...without(modern(fetched('NFD'), { [accented.normalize('NFC')]: 'x' }), accented.normalize('NFC')),
    [accented.normalize('NFD')]: 'x',
  }),
  invalid(
    'ours/tag-file-to-be-fetched',
    modern({ 'fetch.txt': 'https://example.org/bagit.txt - bagit.txt\n' }),
    'RFC 8493 §2.2.3: no tag file is fetched; bagit.py lets any file of a manifest pass',
  ),
  invalid(
    'ours/tag-file-in-a-payload-manifest',
    old({ 'manifest-md5.txt': lines({ ...payload, 'bagit.txt': declaration('0.97') }) }),
    'RFC 8493 §2.1.3: a payload manifest lists payload only; bagit.py looks at the file and lets it pass',
  ),
]
